use super::*;

#[test]
fn only_what_reads_and_prints_is_harmless() {
    for code in [
        "print(1 > 0)",
        "import json; print(json.load(open(\"package.json\"))[\"version\"])",
        "print('rm')",
        "import sys; print(sys.version)",
        "import sys,json; print(json.load(sys.stdin)['name'])",
        "import json\nwith open('x.json') as f:\n    d = json.load(f)\nfor k in d:\n    print(k)\n",
        "import ast; print(ast.dump(ast.parse(open('a.py').read())))",
    ] {
        assert!(read_by_python(code).is_some(), "{code}");
    }
    for code in [
        "import os; os.remove('x')",
        "open('x','w')",
        "open('x', mode)",
        "__import__('os')",
        "print(open)",
        "exec('x')",
        "import json as os",
        "f'{open(1)}'",
        "print(f\"{x}\")",
        "getattr(a, 'b')",
        "import",
        "from os import remove",
        "a.b.system('x')",
        "print(open('x').write('y'))",
        "import json; json.codecs.open('x')",
        "if 1: import os",
        "import json, shutil",
        "open('a' 'b')",
        "x = open; x('y', 'w')",
        "import string; string.Formatter()",
        "'{0.__class__}'.format(1)",
        "import sys; sys.breakpointhook()",
        "import re; re.enum.sys",
    ] {
        assert!(read_by_python(code).is_none(), "{code}");
    }
    assert_eq!(
        read_by_python("print(open('.env').read())"),
        Some(vec![".env".to_owned()])
    );
}
