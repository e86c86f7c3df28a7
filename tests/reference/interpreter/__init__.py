"""An interpreter of Inlay's JSON graph, written from the specifications of the operations.

It shares nothing with the program that it checks: plain Python over numpy arrays, one small function
an operation, slow. What a specification leaves open is taken as ir/OPERATIONS.md says.
`Graph(document).run(inputs, state)` gives the results of one run, or raises Fault where the run must
fail, Unknown where nothing can be said, Unsupported for what is not written here.
"""

# The families enter their operations into the table.
from . import control, generate, movement, network, pointwise, reduction, scatter
from .graph import Graph
from .registry import Fault, Unknown, Unsupported
from .tensor import Tensor

__all__ = ["Fault", "Graph", "Tensor", "Unknown", "Unsupported", "control", "generate", "movement",
           "network", "pointwise", "reduction", "scatter"]
