/* Pieces of models of OpenVINO. Every layer takes one line, so that line numbers are easy to see. */
#ifndef INLAY_TESTS_OPENVINO_LAYERS_H
#define INLAY_TESTS_OPENVINO_LAYERS_H

#define NET(layers, edges)                                                                         \
    "<net name=\"m\" version=\"11\">\n<layers>\n" layers "</layers>\n<edges>\n" edges              \
    "</edges>\n</net>\n"
#define OUT0 "<output><port id=\"0\" precision=\"FP32\"><dim>2</dim></port></output>"
#define PARAM                                                                                      \
    "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data element_type=\"f32\" " \
    "shape=\"2\"/>" OUT0 "</layer>\n"
#define RESULT                                                                                     \
    "<layer id=\"9\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port "                  \
    "id=\"0\"/></input></layer>\n"
#define EDGE(a, p, b, q)                                                                           \
    "<edge from-layer=\"" #a "\" from-port=\"" #p "\" to-layer=\"" #b "\" to-port=\"" #q "\"/>\n"
#define RELU(head, in, out)                                                                        \
    "<layer id=\"1\" name=\"r\" type=\"ReLU\" version=\"opset1\"" head ">" in out "</layer>\n"
#define IN0 "<input><port id=\"0\"/></input>"
#define OUT1 "<output><port id=\"1\" precision=\"FP32\"><dim>2</dim></port></output>"
#define RELU_EDGES EDGE(0, 0, 1, 0) EDGE(1, 1, 9, 0)
#define CONST(data)                                                                                \
    "<layer id=\"3\" name=\"c\" type=\"Const\" version=\"opset1\">" data OUT0 "</layer>\n"
#define CONST_MODEL(data) NET(CONST("<data " data "/>") RESULT, EDGE(3, 0, 9, 0))
#define MODEL NET(PARAM RESULT, EDGE(0, 0, 9, 0))

#endif
