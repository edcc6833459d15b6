"""The page's files: who gets them, how they are kept, and what guards them."""

import gzip
import re

from http_kit import Port, expect
from kit import Skip, main

GUARDS = ["Content-Security-Policy", "Referrer-Policy", "Permissions-Policy", "X-Frame-Options",
          "X-Content-Type-Options", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy"]


def page(daemon, path="/", **headers):
    return daemon.tcp("GET", path, headers={name.replace("_", "-"): value
                                            for name, value in headers.items()})


def needs_page(daemon):
    if "text/html" not in page(daemon).headers["Content-Type"]:
        raise Skip("this build has no page: nodejs and npm were missing")


def the_shell_is_open_to_all_and_guarded():
    with Port() as daemon:
        answer = page(daemon)
        expect(answer, 200)
        for name in GUARDS:
            assert answer.headers[name], f"no {name} in {dict(answer.headers)}"
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy, policy
        assert "unsafe" not in policy and "*" not in policy, policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-cache"
        head = daemon.tcp("HEAD", "/")
        assert (head.status, head.body) == (200, b""), head.body
        assert daemon.get("/").status == 200, "the socket serves it as well"


def nothing_else_is_open():
    with Port() as daemon:
        for method, path in (("GET", "/api/v1/jobs"), ("GET", "/api/v1/timeline"),
                             ("GET", "/api/v1/events"), ("GET", "/healthz"), ("GET", "/nowhere"),
                             ("POST", "/"), ("DELETE", "/assets/x.js"), ("GET", "/assets/x/y")):
            expect(daemon.tcp(method, path), 401, "unauthorized")
        expect(daemon.tcp("GET", "/assets/x.js"), 404, "not_found", "/assets/x.js")


def a_page_elsewhere_cannot_have_it():
    with Port() as daemon:
        expect(page(daemon, Host="evil.example"), 403, "forbidden", "evil.example")
        expect(page(daemon, Origin="http://evil.example"), 403, "forbidden", "evil.example")
        expect(page(daemon, Origin="null"), 403, "forbidden")


def without_its_page_the_daemon_says_how_to_get_it():
    with Port() as daemon:
        answer = page(daemon)
        if "text/html" in answer.headers["Content-Type"]:
            raise Skip("this build has its page")
        for word in (b"baleen", b"npm", b"-Dweb=enabled"):
            assert word in answer.body, answer.body


def what_the_browser_has_is_not_sent_again():
    with Port() as daemon:
        needs_page(daemon)
        for packed in ("gzip", "identity"):
            first = page(daemon, Accept_Encoding=packed)
            again = page(daemon, Accept_Encoding=packed, If_None_Match=first.headers["ETag"])
            assert (again.status, again.body) == (304, b""), again.status
            assert again.headers["ETag"] == first.headers["ETag"]
            other = page(daemon, Accept_Encoding=packed, If_None_Match='"other"')
            assert (other.status, other.body) == (200, first.body)


def files_come_packed_to_those_who_take_it_and_plain_to_others():
    with Port() as daemon:
        needs_page(daemon)
        shell = page(daemon).body.decode()
        names = re.findall(r'(?:src|href)="\.?/(assets/[^"]+)"', shell)
        assert names, shell
        for name in ["", *names]:
            plain = page(daemon, f"/{name}")
            packed = page(daemon, f"/{name}", Accept_Encoding="br, gzip")
            assert packed.headers["Content-Encoding"] == "gzip"
            assert plain.headers["Content-Encoding"] is None
            assert gzip.decompress(packed.body) == plain.body
            assert plain.headers["ETag"] != packed.headers["ETag"]
            assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
            if name:
                assert "immutable" in plain.headers["Cache-Control"], name


main([the_shell_is_open_to_all_and_guarded,
      nothing_else_is_open,
      a_page_elsewhere_cannot_have_it,
      without_its_page_the_daemon_says_how_to_get_it,
      what_the_browser_has_is_not_sent_again,
      files_come_packed_to_those_who_take_it_and_plain_to_others])
