"""Prints the messages of an editor that opens a file with an error in the channel dialect, and points at a word."""
import json

TEXT = """channel.graph @g {
  channel.stack @f (i32)
  channel.stack @f.1 (!llvm.ptr) resumes @f
  channel.depend @f.1 on [@missing] drained below
}
"""
URI = "file:///graph.mlir"


def send(method, parameters, number=None):
    message = {"jsonrpc": "2.0", "method": method, "params": parameters}
    if number is not None:
        message["id"] = number
    text = json.dumps(message)
    print(f"Content-Length: {len(text)}\r\n\r\n{text}", end="")


send("initialize", {"processId": None, "rootUri": "file:///", "capabilities": {}}, 0)
send("textDocument/didOpen", {"textDocument": {"uri": URI, "languageId": "mlir", "version": 1, "text": TEXT}})
VALID = TEXT.replace("@missing", "@f")
send("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": VALID}]})
send("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 5}}, 2)
send("shutdown", None, 3)
send("exit", None)
