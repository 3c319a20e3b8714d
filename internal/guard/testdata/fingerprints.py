"""Writes fingerprints.json: what the Python guard's fingerprint() gives for odd inputs.

Usage: python3 fingerprints.py <folder of the Python guard's guard.py> > fingerprints.json
"""
import json, sys

sys.path.insert(0, sys.argv[1])
import guard

# (tool, the tool input as the text a harness may send)
CASES = [("Bash", t) for t in [
    '{"command":"ls"}',
    '{"command":"ls","description":"List"}',
    '{"description":"x"}',
    '{}',
    '{"command":"  ls \\t -la\\n\\n  . "}',
    '{"command":"a\\u00a0b\\u2003c\\u3000d\\u0085e\\u2028f\\u2029g"}',
    '{"command":"a\\u001cb\\u001dc\\u001ed\\u001fe\\u000bf\\u000cg"}',
    '{"command":"a\\u200bb\\ufeffc\\u180ed\\u2060e"}',
    '{"cmd":"  git   status "}',
    '{"command":["bash","-lc","  ls   -la "]}',
    '{"command":" a  b ","cmd":" c  d "}',
    '{"command":null,"timeout":5}',
    '{"command":"x","description":null}',
    '{"command":"x","nested":{"description":"kept","command":" a  b "}}',
    '{"Command":" a  b "}',
    '{"command":""}',
    '{"command":"   "}',
    '{"command":"x","run_in_background":true,"timeout":120000}',
    '{"command":"a  b","command":"c  d"}',
    '{"description":"one","command":"a","description":"two"}',
    '[" a  b ",{"description":"kept"}]',
    '" a  b "',
    'null',
]] + [("Read", t) for t in [
    '{"file_path":"/a/b.go"}',
    '{"file_path":"/a/b.go","offset":1,"limit":2}',
    '{"limit":2,"offset":1,"file_path":"/a/b.go"}',
    '  {  "limit" : 2 ,"offset":1,\n"file_path":"/a/b.go" }  ',
    '{"file_path":" a  b ","description":"counts here"}',
    '{"a":1,"a":2}',
    '{"a":{"x":1},"a":{"y":2}}',
]] + [("shell", '{"command":["a"," b  c "]}'), ("exec_command", '{"cmd":"a  b","yield_time_ms":1e3}'),
      ("local_shell", '{"command":"a  b"}'), ("shell_command", '{"command":"a\\r\\nb"}'),
      ("bash", '{"command":"a  b","description":"not a shell by this name"}')] + [("mcp__x__y", t) for t in [
    '0', '-0', '0.0', '-0.0', '1', '-1', '1.0', '1.5', '1e0', '1E+2', '1e-2', '1e15', '1e16', '1e17', '123456789012345680.0',
    '12345678901234567890123456789012345678901234567890', '-98765432109876543210', '9007199254740993', '9007199254740993.0',
    '0.1', '0.10', '0.30000000000000004', '0.0001', '0.00001', '0.000123456789', '1e-7', '1.7976931348623157e308', '5e-324',
    '2.2250738585072014e-308', '1e400', '-1e400', '1e-400', '1e22', '1e23', '1.0E5', '100000000000000000000.0',
    '4.35', '2.5e-5', '-1.5e-10', '3.141592653589793238462643',
    'true', 'false', 'null', '""', '"a\\"b\\\\c\\/d"', '"\\u0000\\u0001\\u0008\\u0009\\u000a\\u000b\\u000c\\u000d\\u001f\\u007f"',
    '"\\u0080\\u009f\\u00ad\\u2028\\u2029\\ufeff\\uffff"', '"é ü 漢字 🙂 \\ud83d\\ude42"', '"e\\u0301"', '"<>&\'"',
    '[]', '{}', '[[]]', '[{}]', '[1,2,3]', '[ 1 , "a" , null , true , [ ] , { } ]',
    '{"b":1,"a":2,"B":3,"A":4,"_":5,"10":6,"9":7,"":8}',
    '{"é":1,"z":2,"\\ud83d\\ude42":3,"\\uffff":4,"\\ue000":5,"漢":6}',
    '{"a\\nb":1,"a\\"b":2,"a\\\\b":3,"a\\u0000b":4}',
    '{"z":{"y":{"x":[{"c":1,"b":[2,{"a":3}]}]}},"a":[]}',
    '{"action":"click","coordinate":[10,20.0]}',
    '{"__class__":"x","a.b":[0.1,1e-9]}',
]] + [("", '{"a":1}'), ("Ünï tool\t\"x\"", '{"a":1}'), ("WebSearch", '{"query":"' + "long " * 2000 + '"}'),
      ("Write", '{"content":"' + "x" * 20000 + '\\n","file_path":"/f"}'), ("deep", '[' * 200 + ']' * 200),
      ("deep", '{"a":' * 200 + '1' + '}' * 200)]

rows = [{"tool": tool, "input": text, "want": guard.fingerprint(tool, json.loads(text))} for tool, text in CASES]
print("[" + ",\n ".join(json.dumps(row) for row in rows) + "]")
