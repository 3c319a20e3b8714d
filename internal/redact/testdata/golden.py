"""Write golden.jsonl: what the reference answers to hand-made and random texts.

    python3 golden.py path/to/safe.py > golden.jsonl

See README.md. Python 3.9+, standard library only.
"""

import importlib.util
import json
import random
import sys
import unicodedata

LETTERS = "abcdefghijklmnopqrstuvwxyz"
# No real keys: each body is a counted run of made-up characters.
TOKENS = [
    ("sk-ant-", 16), ("sk-", 20), ("ghp_", 20), ("gho_", 20), ("ghu_", 20), ("ghs_", 20), ("ghr_", 20),
    ("github_pat_", 20), ("glpat-", 20), ("xoxa-", 10), ("xoxb-", 10), ("xoxp-", 10), ("xoxo-", 10),
    ("xoxs-", 10), ("xoxr-", 10), ("AIza", 30), ("rk_live_", 16), ("sk_test_", 16), ("pk_live_", 16),
    ("npm_", 30), ("hf_", 30),
]
AWS = "Z9" * 8
JWT = "eyJ" + "aB3_" * 3 + "." + "cD4-" * 3 + "." + "eF5_" * 3


def body(n):
    return (LETTERS[:9] * 8)[:n]


def token_cases():
    for head, least in TOKENS:
        key = head + body(least)
        yield from (key, key[:-1], "x" + key, "é" + key, "_" + key, key + "._rest", '{"k": "%s"}' % key, key + " " + key)
    yield from ("AKIA" + AWS, "ASIA" + AWS + ".", "AKIA" + AWS + "A", "AKIA" + AWS + "_", "AKIA" + AWS[1:], "xAKIA" + AWS)
    yield from (JWT, JWT[:-6], "x" + JWT, JWT + ".more", "eyJ-eyJ-" + JWT, JWT.replace("aB3_", "aB3-"), JWT.replace(".", ".."))
    yield from ("xoxb-" + body(10) + "-xoxa-" + body(10), "sk-" * 30, "sk-ant-" * 20)


def block_cases():
    for label in ("", "RSA ", "OPENSSH ", "EC 2 "):
        head, tail = "-----BEGIN %sPRIVATE KEY-----" % label, "-----END %sPRIVATE KEY-----" % label
        yield from (head + "\nMIIB\n" + tail + " after", head + "\nMIIB\nnever ended", "-" + head + tail + tail)
    yield from ("-----BEGIN PUBLIC KEY-----\nMIIB", "-----BEGIN PRIVATE KEYS-----", "-----BEGIN rsa PRIVATE KEY-----",
                "-----BEGIN -----BEGIN PRIVATE KEY-----x-----END -----END PRIVATE KEY-----y")
    for run in ("a1" * 20, "a1" * 19 + "a", "a" * 60, "1" * 60, "=" * 60, "a1+=_-" * 9, "d41d8cd98f00b204" * 3):
        yield from (run, "id " + run + ".txt", "é" + run + "é")


def flag_cases():
    values = ("hunter2", '"two words" rest', "'it\\'s' rest", '"never closed\nnext line', '"', '""', "''", "-next", "", "a'b", "\\x",
              '"\\', '"a\\\nb"', "[REDACTED]", "ünïcode", "x:y@z")
    for flag in ("sshpass -p ", "sshpass -p", "sshpass\t -p  ", "xsshpass -p ", "mysql -p", "MySQL -u root -P", "mysqldump\n-p",
                 "mariadb-dump db -p", "MARİADB -p", "marıadb -p", "mysqlx -p", "mysqlı -p", "mysql; -p", "mysql mysql -p", "mysql -p -p",
                 "-u ", "-u=", "-uadmin:", "curl -u admin:", "curl --user admin:", "curl --user=admin:", "curl -u==admin:", "curl -u 'admin:",
                 'curl -u "ad min:', "curl -u :", "--u admin:", "curl -user admin:", "\n-u admin:", "--pass ", "--PASSWORD ", "--passwd\u3000",
                 "--password=", "---pass ", "--passphrase ", "--passwordwd ", "Authorization: Bearer ", "BASİC ", "basıc ", "xbasic "):
        for v in values:
            yield flag + v
    for v in (body(16), body(15), body(16) + "===x", "İ" * 16, "a.b_c~d+e/f-g" * 2, "é" * 20):
        yield from ("Bearer " + v, "basic\n" + v, "bearer" + v, "xbearer " + v, "İbearer " + v, "ébearer " + v)


def url_cases():
    for scheme in ("https", "a", "1a", "git+ssh", "x" * 32, "x" * 33, "-" + "x" * 32, "İ", "é", "x_https", "", "A.b-C+d"):
        for rest in ("u:pw@host/p", "u:p:w@host", "u@host", "u:@host", ":pw@host", "u:p/w@host", "u:p w@host", "u:pw", "u:p'w\"@h u:x@y"):
            yield scheme + "://" + rest
    yield "a://u:p@b://u:p@c a://b://u:p@c"


def key_cases():
    for name in ("password", "PASSWD", "my.api-key", "apikey", "API_KEY_2", "api--key", "x-access_key-x", "private-key", "prıvate_key",
                 "APİKEY", "client_secret", "credentials", "pwd", "token", "tokens", "max_tokens", "tokens_x", "tokensx", "tokenS2",
                 "tokensı", "tokens-token", "keyboard", "pass", "é.token", "ıtoken", "ſecret"):
        for rest in ("=x", ": x", '": "x y"', "' : 'x'", "=", "==", "===,", '=:""', "= =x", "=\n x", "= }", "=a,b", "=a;b", '="a\\"b"c',
                     "＝x", "\u00a0=\u00a0x", "\x1c=\x1fx", " x=1"):
            yield name + rest
    yield from ("a=b " * 20, "token token token=x", 'token="' * 9, "password=[REDACTED]", '{"password":"x","b":1}')


def shape_cases():
    yield from ("", " ", "\n\n", "plain words", "`rm -rf`", "a|b|c", "tab\tnew\nline\r\nend", "\x1b[31mred\x1b[0m", "\x00\x7f\x85",
                "\u200bzero\u200bwidth", "pass\u00adword=x", "pass\u034fword=x", "to\U000e0041ken=x", "to\u200dken=x", "to\u3164ken=x",
                "ｐａｓｓｗｏｒｄ＝ｘ", "ｓｋ－" + body(20), "ﬁne ① ½ Å", "e\u0301 \u1112\u1161\u11ab", "e\u200d\u0301", "\ue000\ufffe\U0010fffd",
                "\u2028\u2029\u1680\u3000x", "family 👨\u200d👩\u200d👧", "日本語のテキスト", "word " * 60, "é" * 200, "ends in space  ")


FRAGMENTS = """sk-ant-|sk-|ghp_|github_pat_|glpat-|xoxb-|xoxa-|AIza|AKIA|rk_live_|npm_|hf_|eyJ|-eyJ|.|-----BEGIN |-----END |PRIVATE KEY
-----|mysql|MARİADB|sshpass| -p|-u| --user |--user=|--pass |Bearer |basıc |://|a://|u:p@|user:|@|api_key|APİ-KEY|secret|token|tokens
pwd|credential|private-key|=|:|==|: |="|='|":"|"|'|\\|\\"| |  |,|;|}|&|`|é|ı|İ|＝|ｐｗｄ|aaaaaaaa|bbbbbbbbbbbbbbbbbbbb|0123456789ABCDEF
a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1|x|1|-|_|+|/|[REDACTED]""".replace("\n", "|").split("|")
FRAGMENTS += ["\n", "\t", "|", "\x1c", "\x1b[1m", "\u200b", "\u034f", "\u00a0", "\u2028", "\u0301", "\U000e0041"]


def random_cases(count):
    rng = random.Random(20)
    for _ in range(count):
        pool = rng.sample(FRAGMENTS, rng.randint(2, 12))
        yield "".join(rng.choice(pool) for _ in range(rng.randint(2, 14)))


def every_case():
    for cases in (token_cases(), block_cases(), flag_cases(), url_cases(), key_cases(), shape_cases(), random_cases(400)):
        yield from cases


def load(path):
    spec = importlib.util.spec_from_file_location("safe", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def line_of(safe, text, limit):
    row = {"text": text, "limit": limit, "secrets": safe.redact(text), "line": safe.safe_text(text, limit)}
    # Escaped joints keep the made-up keys from looking like leaked ones to a scanner of the repository.
    return json.dumps(row).replace("_", "\\u005f").replace("-", "\\u002d")


def main():
    safe = load(sys.argv[1])
    seen = set()
    for n, text in enumerate(every_case()):
        if text not in seen:
            seen.add(text)
            print(line_of(safe, text, (160, 40, 12, 3, 80)[n % 5]))
    print("unicode", unicodedata.unidata_version, "cases", len(seen), file=sys.stderr)


if __name__ == "__main__":
    main()
