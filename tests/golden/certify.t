# A certificate names the application, and each node that came, has another equation or reads others.

$ inlay opt "$ROOT/examples/folded.inlay" -o out.inlay --certify cert && inlay-check --print cert.model out.inlay cert
certificate 1
step %fold-constants
+ %scattered = Const-1 {value = f32[3] [9, 2, 8]}
