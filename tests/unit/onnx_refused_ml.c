#include "tests/unit/onnx_refused.h"

const refused_case refused_tables[] = {
    {17, "float[2] x", "y = ai.onnx.ml.LabelEncoder <keys_floats = [1.0]> (x)",
     "(ai.onnx.ml.LabelEncoder-5): none of the attributes \"values_...\" is there"},
    {17, "string[2] x", "y = ai.onnx.ml.OneHotEncoder <cats_int64s = [1, 2]> (x)",
     "(ai.onnx.ml.OneHotEncoder-5): attribute \"cats_strings\" is missing"},
    {17, "float[2, 2] x", "y = ai.onnx.ml.Normalizer <norm = \"L3\"> (x)",
     "(ai.onnx.ml.Normalizer-5): norm is \"L3\", it must be MAX, L1 or L2"},
    {17, "float[2, 2] x", "y = ai.onnx.ml.Imputer <imputed_value_int64s = [1]> (x)",
     "(ai.onnx.ml.Imputer-5): has no imputed_value of the type of X"},
    {17, "float[2, 2] x", "y = ai.onnx.ml.ZipMap (x)",
     "(ai.onnx.ml.ZipMap-5): neither attribute \"classlabels_strings\" nor "
     "\"classlabels_int64s\" is there"},
    {17, "float[2, 2] x", "y = ai.onnx.ml.ZipMap <classlabels_int64s = [1]> (x)",
     "(ai.onnx.ml.ZipMap-5): node \"y\" (ZipMap-1): X has shape [2,2], there are keys of shape "
     "[1]"},
    {17, "float[2, 2] x", "y = ai.onnx.ml.DictVectorizer <int64_vocabulary = [1]> (x)",
     "(ai.onnx.ml.DictVectorizer-5): X must be a map whose values are of a known type"},
    {17, "float[2, 2] x", "y = ai.onnx.ml.CastMap <map_form = \"THICK\"> (x)",
     "(ai.onnx.ml.CastMap-5): map_form is \"THICK\", it must be one of: DENSE SPARSE"},
    {17, "float[2, 2] x", "l, y = ai.onnx.ml.LinearClassifier <coefficients = [1.0, 2.0]> (x)",
     "(ai.onnx.ml.LinearClassifier-5): neither attribute \"classlabels_strings\" nor "
     "\"classlabels_ints\" is "
     "there"},
    {17, "float[2, 2] x",
     "y = ai.onnx.ml.LinearRegressor <coefficients = [1.0, 2.0], post_transform = \"ABS\"> (x)",
     "(ai.onnx.ml.LinearRegressor-5): post_transform is \"ABS\", it must be NONE, LOGISTIC, "
     "SOFTMAX, SOFTMAX_ZERO "
     "or PROBIT"},
    {17, "float[2, 2] x", "y = ai.onnx.ml.LinearRegressor (x)",
     "(ai.onnx.ml.LinearRegressor-5): attribute \"coefficients\" is missing"},
    {17, "float[2, 2] x",
     "y = ai.onnx.ml.SVMRegressor <coefficients = [1.0], support_vectors = [1.0, 2.0], rho = "
     "[0.5], n_supports = 1, kernel_type = \"CUBIC\", kernel_params = [1.0, 0.0, 3.0]> (x)",
     "(ai.onnx.ml.SVMRegressor-5): kernel_type is \"CUBIC\", it must be LINEAR, POLY, RBF or "
     "SIGMOID"},
    {17, "float[2, 2] x",
     "y = ai.onnx.ml.SVMRegressor <coefficients = [1.0], n_supports = 1, rho = [0.5]> (x)",
     "(ai.onnx.ml.SVMRegressor-5): coefficients, rho or support_vectors are missing"},
    {17, "float[2, 2] x", "l, y = ai.onnx.ml.SVMClassifier <coefficients = [1.0]> (x)",
     "(ai.onnx.ml.SVMClassifier-5): neither attribute \"classlabels_strings\" nor "
     "\"classlabels_ints\" is there"},
    {17, "float[2, 2] x",
     "l, y = ai.onnx.ml.SVMClassifier <coefficients = [1.0], classlabels_ints = [1]> (x)",
     "(ai.onnx.ml.SVMClassifier-5): there are 1 classes, there must be from 2 to 256"},
    {17, "float[2, 2] x",
     "l, y = ai.onnx.ml.SVMClassifier <coefficients = [1.0], classlabels_ints = [1, 2], "
     "vectors_per_class = [2, 1]> (x)",
     "(ai.onnx.ml.SVMClassifier-5): vectors_per_class[0] is 2, there are 1 coefficients"},
    {17, "float[2, 2] x",
     "l, y = ai.onnx.ml.SVMClassifier <coefficients = [1.0], classlabels_ints = [1, 2], "
     "vectors_per_class = [1, 1]> (x)",
     "(ai.onnx.ml.SVMClassifier-5): has 1 coefficients, 0 numbers in rho and 2 in "
     "vectors_per_class, "
     "they must be 2, 1 and 2"},
    {17, "float[2, 2] x",
     "l, y = ai.onnx.ml.SVMClassifier <coefficients = [1.0, 2.0], classlabels_ints = [1, 2], "
     "vectors_per_class = [1, 1], rho = [1.0]> (x)",
     "(ai.onnx.ml.SVMClassifier-5): support_vectors are missing"},
    {17, "float[2, 2] x",
     "l, y = ai.onnx.ml.SVMClassifier <coefficients = [1.0, 2.0], classlabels_ints = [1, 2], "
     "vectors_per_class = [1, 1], rho = [1.0], support_vectors = [1.0, 2.0, 3.0, 4.0], prob_a = "
     "[1.0, 2.0]> (x)",
     "(ai.onnx.ml.SVMClassifier-5): attributes \"prob_a\" and \"prob_b\" must have 1 numbers"},
};
const size_t n_refused_tables = sizeof refused_tables / sizeof *refused_tables;

const refused_case refused_trees[] = {
    {17, "float[2, 2] x",
     "y = ai.onnx.ml.TreeEnsemble <nodes_featureids = [0], nodes_modes = uint8[1] {0}, "
     "nodes_splits = float[1] {0}, nodes_truenodeids = [0], nodes_falsenodeids = [1], "
     "nodes_trueleafs = [1, 1], nodes_falseleafs = [1], leaf_targetids = [0, 0], leaf_weights = "
     "float[2] {1, 2}, tree_roots = [0], n_targets = 1> (x)",
     "(ai.onnx.ml.TreeEnsemble-5): nodes_truenodeids has 1 element, nodes_trueleafs has 2"},
    {17, "float[2, 2] x",
     "y = ai.onnx.ml.TreeEnsemble <nodes_featureids = [0], nodes_modes = uint8[1] {0}, "
     "nodes_splits = float[1] {0}, nodes_truenodeids = [-1], nodes_falsenodeids = [1], "
     "nodes_trueleafs = [1], nodes_falseleafs = [1], leaf_targetids = [0, 0], leaf_weights = "
     "float[2] {1, 2}, tree_roots = [0], n_targets = 1> (x)",
     "(ai.onnx.ml.TreeEnsemble-5): nodes_truenodeids[0] is -1, it must not be negative"},
    {17, "float[2, 2] x",
     "y = ai.onnx.ml.TreeEnsemble <nodes_featureids = [0], nodes_modes = uint8[1] {6}, "
     "nodes_splits = float[1] {0}, nodes_truenodeids = [0], nodes_falsenodeids = [1], "
     "nodes_trueleafs = [1], nodes_falseleafs = [1], leaf_targetids = [0, 0], leaf_weights = "
     "float[2] {1, 2}, tree_roots = [0], n_targets = 1, membership_values = float[1] {1}> (x)",
     "(ai.onnx.ml.TreeEnsemble-5): membership_values has no members for node 0"},
    {17, "float[2, 2] x",
     "y = ai.onnx.ml.TreeEnsemble <nodes_featureids = [0], nodes_modes = uint8[2] {0, 0}, "
     "nodes_splits = float[1] {0}, nodes_truenodeids = [0], nodes_falsenodeids = [1], "
     "nodes_trueleafs = [1], nodes_falseleafs = [1], leaf_targetids = [0, 0], leaf_weights = "
     "float[2] {1, 2}, tree_roots = [0], n_targets = 1> (x)",
     "(ai.onnx.ml.TreeEnsemble-5): nodes_modes has 2 elements, there is 1 node"},
    {17, "float[2, 2] x",
     "y = ai.onnx.ml.TreeEnsemble <nodes_featureids = [0], nodes_modes = uint8[1] {0}, "
     "nodes_splits = float[1] {0}, nodes_truenodeids = [0], nodes_falsenodeids = [1], "
     "nodes_trueleafs = [1], nodes_falseleafs = [1], leaf_targetids = [0, 0], leaf_weights = "
     "float[2] {1, 2}, tree_roots = [0], n_targets = 1, aggregate_function = 4> (x)",
     "(ai.onnx.ml.TreeEnsemble-5): aggregate_function is 4 and post_transform 0, they must be from "
     "0 to 3 and "
     "from 0 to 4"},
    {17, "float[2, 2] x",
     "y = ai.onnx.ml.TreeEnsembleRegressor <nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], "
     "nodes_featureids = [0, 0, 0], nodes_modes = [\"BRANCH_LEQ\", \"LEAF\", \"LEAF\"], "
     "nodes_values = [0.5, 0.0, 0.0], nodes_truenodeids = [7, 0, 0], nodes_falsenodeids = [2, 0, "
     "0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = "
     "[1.0, 2.0], n_targets = 1> (x)",
     "(ai.onnx.ml.TreeEnsembleRegressor-5): there is no node 7 of tree 0"},
    {17, "float[2, 2] x",
     "y = ai.onnx.ml.TreeEnsembleRegressor <nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], "
     "nodes_featureids = [0, 0, 0], nodes_modes = [\"LEAF\"], nodes_values = [0.5, 0.0, 0.0], "
     "nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], target_treeids = [0, 0], "
     "target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [1.0, 2.0], n_targets = 1> "
     "(x)",
     "(ai.onnx.ml.TreeEnsembleRegressor-5): nodes_modes has 1 element, there are 3 nodes"},
    {17, "float[2, 2] x",
     "y = ai.onnx.ml.TreeEnsembleRegressor <nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], "
     "nodes_featureids = [0, 0, 0], nodes_modes = [\"BRANCH\", \"LEAF\", \"LEAF\"], nodes_values = "
     "[0.5, 0.0, 0.0], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], "
     "target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = "
     "[1.0, 2.0], n_targets = 1> (x)",
     "(ai.onnx.ml.TreeEnsembleRegressor-5): nodes_modes[0] is \"BRANCH\", it must be LEAF or "
     "BRANCH_ and LEQ, "
     "LT, GTE, GT, EQ or NEQ"},
    {17, "float[2, 2] x",
     "y = ai.onnx.ml.TreeEnsembleRegressor <nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], "
     "nodes_featureids = [0, 0, 0], nodes_modes = [\"BRANCH_LEQ\", \"LEAF\", \"LEAF\"], "
     "nodes_values = [0.5, 0.0, 0.0], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, "
     "0], target_treeids = [0, 0], target_nodeids = [0, 2], target_ids = [0, 0], target_weights = "
     "[1.0, 2.0], n_targets = 1> (x)",
     "(ai.onnx.ml.TreeEnsembleRegressor-5): vote 0 is of a node that is no leaf"},
    {17, "float[2, 2] x",
     "y = ai.onnx.ml.TreeEnsembleRegressor <nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], "
     "nodes_featureids = [0, 0, 0], nodes_modes = [\"BRANCH_LEQ\", \"LEAF\", \"LEAF\"], "
     "nodes_values = [0.5, 0.0, 0.0], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, "
     "0], target_treeids = [0, 0], target_nodeids = [1], target_ids = [0, 0], target_weights = "
     "[1.0, 2.0], n_targets = 1> (x)",
     "(ai.onnx.ml.TreeEnsembleRegressor-5): target_treeids, target_nodeids and target_ids have not "
     "one "
     "length"},
};
const size_t n_refused_trees = sizeof refused_trees / sizeof *refused_trees;
