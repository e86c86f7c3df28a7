# A certificate names the application, the node of the file, and each node that went, came or reads others.

$ inlay opt "$ROOT/examples/folded.inlay" -o out.inlay --certify cert && inlay-check --print cert.model out.inlay cert
certificate 1
step 1 %fold-constants from %scattered line 9
+ %scattered = Const-1 {value = f32[3] [9, 2, 8]}
step 2 %eliminate-dead from %table line 5
- %table %rows %updates %axis
