
import sys,json
for line in sys.stdin:
    m=json.loads(line)
    if 'id' not in m: continue
    r={}
    if m['method']=='initialize': r={"protocolVersion":m['params']['protocolVersion'],"capabilities":{"tools":{}},"serverInfo":{"name":"probe","version":"1"}}
    elif m['method']=='tools/list': r={"tools":[{"name":"echo","description":"Echoes","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}]}
    elif m['method']=='tools/call': r={"content":[{"type":"text","text":m['params']['arguments']['text']}]}
    print(json.dumps({"jsonrpc":"2.0","id":m['id'],"result":r}),flush=True)
