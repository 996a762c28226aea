"""Who may come in, and that nobody meets anybody else there."""

import json
import re
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from random import randrange

import httpx
import pytest
from serving import Server

from rowen.model.errors import InputError
from rowen.service.access import Access
from rowen.service.rates import Rate
from rowen.service.tokens import Token, changed_tokens, digest_of, new_secret

RULES = "kind = 'pattern'\npattern = '(?P<word>secret)'"
NOBODY = "0" * 32


class Tenant(httpx.Client):
    """Somebody with a token."""

    def __init__(self, server, secret):
        self.secret = secret
        authorization = {"Authorization": f"Bearer {secret}"}
        super().__init__(base_url=server.url, headers=authorization, timeout=120)

    def send_document(self, data, **options):
        return self.post("/", content=data, params={"output": "json"}, **options)

    def add(self, data):
        answer = self.send_document(data)
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]


def new_token(path, tenant, **settings):
    """A token that is in the file from now on."""
    secret, now = new_secret(), datetime.now(UTC)
    with changed_tokens(path) as tokens:
        name = f"{tenant}{len(tokens)}"
        token = Token(digest=digest_of(secret), tenant=tenant, name=name, created=now, **settings)
        tokens.append(token)
    return secret


@pytest.fixture(scope="module")
def tokens(tmp_path_factory):
    return tmp_path_factory.mktemp("access") / "tokens.json"


@pytest.fixture(scope="module")
def secrets(tokens):
    """Of two tenants and an operator."""
    made_tokens = [new_token(tokens, name) for name in ("one", "two")]
    return [*made_tokens, new_token(tokens, "ops", operator=True)]


@pytest.fixture(scope="module")
def server(tokens, secrets):  # noqa: ARG001  # which are in the file then
    shared = Server(tokens.parent / "data", auth=tokens)
    yield shared
    assert shared.end() == 0, shared.log.read_text()


@pytest.fixture(scope="module")
def tenants(server, secrets):
    opened = [Tenant(server, secret) for secret in secrets]
    yield opened
    for client in opened:
        client.close()


def is_problem(answer, status):
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == status
    return True


def from_elsewhere():
    """What a proxy on this machine says of a client that nobody has seen before."""
    return {"X-Forwarded-For": f"10.{randrange(256)}.{randrange(256)}.{randrange(256)}"}


def until(answer, status):
    """Ask again until the answer has a status."""
    while (last := answer()).status_code != status:
        time.sleep(0.05)
    return last


PATHS = ("", "/file", "/header", "/citations", "/body", "/text", "/records?extractor=words")


def test_the_ids_of_others_are_answered_as_those_of_nobody(tenants, paper):
    tenant, stranger, _ = tenants
    own = tenant.add(paper)
    tenant.put("/extractors/words", content=RULES)
    stranger.put("/extractors/words", content=RULES)
    assert tenant.get(f"/{own}/header").status_code == 200
    for path in PATHS:
        for method in ("GET", "DELETE"):
            answers = [stranger.request(method, f"/{id_}{path}") for id_ in (own, NOBODY)]
            varying = ("date", "x-request-id")
            theirs, nobodys = (
                (
                    answer.status_code,
                    answer.content,
                    {key: value for key, value in answer.headers.items() if key not in varying},
                )
                for answer in answers
            )
            assert theirs == nobodys
            assert theirs[0] in {404, 405}
    assert tenant.get(f"/{own}/file").content == paper


def test_equal_documents_of_two_tenants_are_read_for_each(tenants):
    owner, stranger, _ = tenants
    text = b"<p>the same page, with a secret in it</p>"
    first, second = owner.add(text), stranger.add(text)
    for tenant, document in ((owner, first), (stranger, second)):
        tenant.put("/extractors/words", content=RULES)
        for path in (f"/{document}/text", f"/{document}/records?extractor=words"):
            assert "rowen-reuse" not in tenant.get(path).headers
            assert tenant.get(path).headers["rowen-reuse"] == f"exact; source={document}"
    owner.delete(f"/{first}")
    assert stranger.get(f"/{second}/file").content == text


def test_equal_documents_that_are_read_at_once_stay_apart(start, tokens, secrets, paper):
    server = start(auth=tokens, workers=2)
    with Tenant(server, secrets[0]) as tenant, Tenant(server, secrets[1]) as stranger:
        documents = [(tenant, tenant.add(paper)), (stranger, stranger.add(paper))]
        with ThreadPoolExecutor(2) as threads:
            answers = list(threads.map(lambda pair: pair[0].get(f"/{pair[1]}/header"), documents))
    assert [answer.status_code for answer in answers] == [200, 200]
    assert not any("rowen-reuse" in answer.headers for answer in answers)


def test_extractors_and_idempotency_keys_are_of_one_tenant(tenants):
    tenant, stranger, _ = tenants
    tenant.put("/extractors/mine", content=RULES)
    assert "mine" not in stranger.get("/extractors").json()
    assert is_problem(stranger.get("/extractors/mine"), 404)
    assert is_problem(stranger.delete("/extractors/mine"), 404)
    assert stranger.put("/extractors/mine", content=RULES).status_code == 201
    key = {"headers": {"Idempotency-Key": "the same key"}}
    first = tenant.send_document(b"some text", **key)
    second = stranger.send_document(b"another text", **key)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json()["id"] != second.json()["id"]
    assert tenant.send_document(b"some text", **key).json() == first.json()


def test_tenants_keep_what_they_have_when_the_service_starts_again(start, tmp_path):
    file, data = tmp_path / "tokens.json", tmp_path / "data"
    secrets = [new_token(file, name) for name in ("one", "two")]
    server = start(data, auth=file)
    with Tenant(server, secrets[0]) as tenant:
        document = tenant.add(b"text")
    assert server.end() == 0
    server = start(data, auth=file)
    with Tenant(server, secrets[0]) as tenant, Tenant(server, secrets[1]) as stranger:
        assert tenant.get(f"/{document}/text").text == "text"
        assert is_problem(stranger.get(f"/{document}/text"), 404)
    folders = sorted(folder.name for folder in (data / "tenants").iterdir())
    assert folders == ["one", "two"]
    assert server.end() == 0
    assert is_problem(start(data).get(f"/{document}"), 404)  # without tenants: another realm


def test_more_tenants_than_realms_are_kept_open(tmp_path, start):
    file = tmp_path / "tokens.json"
    secrets = [new_token(file, f"tenant{number}") for number in range(5)]
    server = start(auth=file, open_realms=2)
    opened = [Tenant(server, secret) for secret in secrets]
    documents = [tenant.add(f"text {number}".encode()) for number, tenant in enumerate(opened)]

    def look(number):
        own = number % 5
        answer = opened[own].get(f"/{documents[own]}/text")
        return (answer.status_code, answer.text) == (200, f"text {own}")

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(look, range(100)))
    for tenant in opened:
        tenant.close()


@pytest.mark.parametrize(
    ("authorization", "detail"),
    [
        (None, "needs an access token"),
        ("", "is not one Bearer token"),
        ("Bearer", "is not one Bearer token"),
        ("Basic b25lOnR3bw==", "is not one Bearer token"),
        ("Bearer a b", "is not one Bearer token"),
        ("Bearer a, Bearer b", "is not one Bearer token"),
        ("Bearer ' OR 1=1 --", "is not one Bearer token"),
        (b"Bearer \xff\xfe", "is not one Bearer token"),
        ("Bearer " + "a" * 5000, "is not one Bearer token"),
        ("Bearer rowen_" + "A" * 43, "unknown access token"),
        ("Bearer =", "is not one Bearer token"),
    ],
)  # fmt: skip
def test_without_a_good_token_there_is_nothing(server, tenants, authorization, detail):
    document = tenants[0].add(b"text")
    headers = {} if authorization is None else {"Authorization": authorization}
    for path in (f"/{document}/text", f"/{NOBODY}", "/extractors", "/metrics", "/nowhere/at/all"):
        answer = server.get(path, headers={**headers, **from_elsewhere()})
        assert is_problem(answer, 401)
        assert detail in answer.json()["detail"]
        assert answer.headers["www-authenticate"].startswith('Bearer realm="rowen"')


def test_a_token_is_taken_from_nowhere_else(server, tenants, secrets):
    document = tenants[0].add(b"text")
    for name in ("access_token", "token"):
        answer = server.get(
            f"/{document}/text", params={name: secrets[0]}, headers=from_elsewhere()
        )
        assert is_problem(answer, 401)
    cookies = {"Authorization": f"Bearer {secrets[0]}"}
    url = f"{server.url}/{document}/text"
    assert is_problem(httpx.get(url, cookies=cookies, headers=from_elsewhere()), 401)
    with_scheme = {"Authorization": f"bEARER {secrets[0]}"}
    assert server.get(f"/{document}/text", headers=with_scheme).text == "text"


def test_two_tokens_at_once_are_none(server, secrets):
    headers = [("Authorization", f"Bearer {secret}") for secret in secrets[:2]]
    elsewhere = [*from_elsewhere().items()]
    assert is_problem(httpx.get(f"{server.url}/extractors", headers=headers + elsewhere), 401)


def test_digests_are_no_tokens(server, tokens):
    for entry in json.loads(tokens.read_text())["tokens"]:
        headers = {"Authorization": f"Bearer {entry['digest']}", **from_elsewhere()}
        assert is_problem(server.get("/extractors", headers=headers), 401)


def test_what_is_open_and_what_operators_see(server, tenants):
    for path in ("/livez", "/readyz", "/docs", "/openapi.json"):
        assert server.get(path).status_code == 200
    described = server.get("/openapi.json").json()
    assert described["security"] == [{"token": []}]
    assert described["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert described["paths"]["/livez"]["get"]["security"] == []
    assert "security" not in described["paths"]["/metrics"]["get"]
    assert is_problem(tenants[0].get("/metrics"), 403)
    assert is_problem(server.get("/studio/api/projects", headers=from_elsewhere()), 401)
    shown = tenants[2].get("/metrics").text
    assert re.search(r'rowen_refused_total\{reason="operator"\} [1-9]', shown)


def test_no_token_and_no_digest_is_in_the_log(server, tokens, secrets, tenants):
    assert tenants[0].get("/extractors").status_code == 200
    server.get("/extractors", headers={"Authorization": "Bearer rowen_wrong"})
    server.get(f"/{NOBODY}", params={"access_token": secrets[0]})
    log = server.log.read_text()
    for secret in (*secrets, "rowen_wrong"):
        assert secret not in log
        assert digest_of(secret) not in log
    assert all(secret not in tokens.read_text() for secret in secrets)
    assert '"tenant": "one"' in log


def test_an_expired_token_is_no_token(start, tmp_path):
    file = tmp_path / "tokens.json"
    now = datetime.now(UTC)
    late = new_token(file, "one", expires=now - timedelta(seconds=1))
    good = new_token(file, "one", expires=now + timedelta(days=1))
    soon = new_token(file, "one", expires=now + timedelta(seconds=8))
    server = start(auth=file)
    with Tenant(server, late) as tenant:
        answer = tenant.get("/extractors")
        assert is_problem(answer, 401)
        assert 'error="invalid_token"' in answer.headers["www-authenticate"]
        assert answer.json()["detail"] == "the access token has expired"
    with Tenant(server, good) as tenant:
        assert tenant.get("/extractors").status_code == 200
    with Tenant(server, soon) as tenant:
        assert until(lambda: tenant.get("/extractors"), 401).json()["detail"] == (
            "the access token has expired"
        )


def test_tokens_come_and_go_while_the_service_runs(start, tmp_path):
    file = tmp_path / "tokens.json"
    first = new_token(file, "one")
    server = start(auth=file)
    with Tenant(server, first) as tenant:
        document = tenant.add(b"text")
        second = new_token(file, "one")
        with Tenant(server, second) as stranger:
            assert until(lambda: stranger.get(f"/{document}/text"), 200).text == "text"
            with changed_tokens(file) as tokens:
                tokens[:] = [token for token in tokens if token.digest == digest_of(second)]
            assert is_problem(until(lambda: tenant.get(f"/{document}"), 401), 401)
            assert stranger.get(f"/{document}/text").text == "text"


BROKEN = (
    b"",
    b"{",
    b"[" * 100_000,
    b'{"rowen": 2, "kind": "tokens", "tokens": []}',
    b'{"rowen": 1, "kind": "tokens"}',
    b'{"rowen": 1, "kind": "tokens", "tokens": [{"digest": "", "tenant": "../x"}]}',
    None,
)


def test_a_damaged_file_leaves_the_tokens_as_they_were(start, tmp_path):
    file = tmp_path / "tokens.json"
    secret = new_token(file, "one")
    whole = file.read_bytes()
    server = start(auth=file)
    with Tenant(server, secret) as tenant:

        def wait_for(message, times):
            while server.log.read_text().count(message) < times:
                assert tenant.get("/extractors").status_code == 200
                time.sleep(0.05)

        for times, broken in enumerate(BROKEN, start=1):
            if broken is None:
                file.unlink()
            else:
                file.write_bytes(broken)
            wait_for("the access tokens were not reloaded", times)
        assert tenant.get("/extractors").status_code == 200
        file.write_bytes(whole)
        wait_for("access tokens read", 1)
        assert tenant.get("/extractors").status_code == 200


@pytest.mark.parametrize("broken", BROKEN)
def test_a_service_does_not_start_with_a_damaged_file(tmp_path, broken):
    file = tmp_path / "tokens.json"
    if broken is not None:
        file.write_bytes(broken)
    with pytest.raises(InputError):
        Access(file)


def test_a_rate_is_kept_and_says_when_to_try_again(start, tmp_path):
    file = tmp_path / "tokens.json"
    limited = new_token(file, "one", rate=Rate(5, 3600.0))
    free = new_token(file, "one")
    server = start(auth=file)
    with Tenant(server, limited) as tenant, Tenant(server, free) as unlimited:
        with ThreadPoolExecutor(10) as threads:
            answers = list(threads.map(lambda _: tenant.get("/extractors"), range(20)))
        assert sorted(answer.status_code for answer in answers) == [200] * 5 + [429] * 15
        late = tenant.get("/extractors")
        assert is_problem(late, 429)
        assert 0 < int(late.headers["retry-after"]) <= 720
        assert unlimited.get("/extractors").status_code == 200


def test_failures_of_an_address_are_kept_back_but_good_tokens_are_not(start, tmp_path):
    file = tmp_path / "tokens.json"
    secret = new_token(file, "one", operator=True)
    server = start(auth=file)
    answers = [server.get("/extractors") for _ in range(80)]
    assert [answer.status_code for answer in answers[:60]] == [401] * 60
    assert is_problem(answers[-1], 429)
    assert int(answers[-1].headers["retry-after"]) >= 1
    with Tenant(server, secret) as tenant:
        assert tenant.get("/extractors").status_code == 200
        shown = tenant.get("/metrics").text
    assert re.search(r'rowen_refused_total\{reason="missing"\} [67]\d\.0', shown)
    assert re.search(r'rowen_refused_total\{reason="failures"\} [12]\d\.0', shown)


def test_a_quota_of_documents_is_exact_whoever_sends_at_once(start, tmp_path):
    file, data = tmp_path / "tokens.json", tmp_path / "data"
    secret = new_token(file, "one", documents=5)
    server = start(data, auth=file)
    with Tenant(server, secret) as tenant:
        with ThreadPoolExecutor(10) as threads:
            texts = [f"text {number}".encode() for number in range(20)]
            answers = list(threads.map(tenant.send_document, texts))
        assert sorted(answer.status_code for answer in answers) == [201] * 5 + [507] * 15
        [full, *_] = [answer for answer in answers if answer.status_code == 507]
        assert is_problem(full, 507)
        problem = full.json()
        assert (problem["type"], problem["unit"], problem["held"], problem["limit"]) == (
            "/docs#quota", "documents", 5, 5,
        )  # fmt: skip
        stored = [answer.json()["id"] for answer in answers if answer.status_code == 201]
    server.end()
    server = start(data, auth=file)
    with Tenant(server, secret) as tenant:
        assert is_problem(tenant.send_document(b"more"), 507)
        assert tenant.delete(f"/{stored[0]}").status_code == 200
        assert tenant.send_document(b"more").status_code == 201
        assert is_problem(tenant.send_document(b"more"), 507)
        assert tenant.get(f"/{stored[1]}/file").status_code == 200


def test_a_quota_of_bytes_is_exact_whoever_sends_at_once(start, tmp_path):
    file = tmp_path / "tokens.json"
    secret = new_token(file, "one", bytes=100_000)
    server = start(auth=file)
    with Tenant(server, secret) as tenant:
        with ThreadPoolExecutor(10) as threads:
            texts = [f"{number:02}".encode() * 10_000 for number in range(20)]  # 20,000 bytes each
            answers = list(threads.map(tenant.send_document, texts))
        stored = sum(answer.status_code == 201 for answer in answers)
        # While it is sent, a document counts, even if there is no room for all of it in the end.
        assert stored <= 5
        while stored < 5:
            assert tenant.send_document(b"a" * 20_000).status_code == 201
            stored += 1
        full = tenant.send_document(b"a")
        assert is_problem(full, 507)
        assert (full.json()["held"], full.json()["limit"]) == (100_000, 100_000)
        held = sum(path.stat().st_size for path in (server.data / "tenants/one/files").rglob("*/*"))
        assert held <= 100_000
        assert not list((server.data / "tenants/one/drafts").iterdir())


def test_extractors_count_like_documents(start, tmp_path):
    file, data = tmp_path / "tokens.json", tmp_path / "data"
    secret = new_token(file, "one", bytes=1_000)
    long = RULES + "\n# é" + "a" * 800
    server = start(data, auth=file)
    with Tenant(server, secret) as tenant:
        with ThreadPoolExecutor(4) as threads:
            names = [f"/extractors/name{number % 2}" for number in range(8)]
            answers = list(threads.map(lambda name: tenant.put(name, content=long), names))
        assert {answer.status_code for answer in answers} == {200, 201, 507}
        assert len(tenant.get("/extractors").json()) == 1
        assert is_problem(tenant.send_document(b"a" * 800), 507)
    server.end()
    server = start(data, auth=file)
    with Tenant(server, secret) as tenant:
        [name] = tenant.get("/extractors").json()
        full = tenant.send_document(b"a" * 800)
        assert full.json()["held"] == len(long.encode())
        assert tenant.put(f"/extractors/{name}", content=RULES).status_code == 200
        assert tenant.send_document(b"a" * 800).status_code == 201
        assert is_problem(tenant.put("/extractors/more", content=long), 507)
        tenant.delete(f"/extractors/{name}")
        assert tenant.send_document(b"a" * 200).status_code == 201
        assert is_problem(tenant.send_document(b"a"), 507)


def test_a_tenant_leaves_room_for_others(start, tmp_path, long_paper):
    file = tmp_path / "tokens.json"
    secrets = [new_token(file, name) for name in ("one", "two")]
    server = start(auth=file, workers=1, waiting=3)
    later = {"Prefer": "respond-async"}
    with Tenant(server, secrets[0]) as tenant, Tenant(server, secrets[1]) as stranger:
        papers = [long_paper + b"\n%" + str(number).encode() for number in range(3)]
        first = [tenant.get(f"/{tenant.add(paper)}/text", headers=later) for paper in papers]
        assert [answer.status_code for answer in first] == [202, 202, 503]
        assert "of this tenant" in first[-1].json()["detail"]
        assert stranger.get(f"/{stranger.add(b'text')}/text").text == "text"


def test_what_was_refused_or_cut_off_does_not_count(start, tmp_path):
    file = tmp_path / "tokens.json"
    secret = new_token(file, "one", bytes=10_000, documents=2)
    server = start(auth=file)
    host, port = server.url.removeprefix("http://").split(":")
    with Tenant(server, secret) as tenant:
        for _ in range(3):
            assert is_problem(tenant.send_document(b"\0" * 9_000), 415)
            assert is_problem(tenant.send_document(iter([b"a" * 9_000] * 2)), 507)
            with socket.create_connection((host, int(port))) as line:
                line.sendall(
                    f"POST / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {secret}\r\n"
                    "Content-Length: 9000\r\n\r\nhalf".encode()
                )
        answer = until(lambda: tenant.send_document(b"a" * 9_000), 201)
        assert is_problem(tenant.send_document(b"b" * 9_000), 507)
        key = {"headers": {"Idempotency-Key": "k"}}
        first = tenant.send_document(b"b" * 1_000, **key)
        assert first.status_code == 201
        repeated = tenant.send_document(b"b" * 1_000, **key)  # there is no room, and none is needed
        assert repeated.json() == first.json()
        tenant.delete(f"/{answer.json()['id']}")
        tenant.delete(f"/{first.json()['id']}")
        assert tenant.send_document(b"a" * 10_000).status_code == 201


def test_headers_that_try_to_be_two_get_nowhere(server, secrets):
    host, port = server.url.removeprefix("http://").split(":")
    for line in (
        b"Authorization: Bearer x\nAuthorization: Bearer " + secrets[0].encode(),
        b"Authorization: Bearer x\r\n Bearer " + secrets[0].encode(),
        b"Authorization\0: Bearer " + secrets[0].encode(),
        b"X-Forwarded-For: \xff\xfe, 1.2.3.4\r\nX-Forwarded-Proto: javascript",
        b"X-Request-ID: a\x0bSet-Cookie: b=c",
    ):
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(
                b"GET /extractors HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + line + b"\r\n\r\n"
            )
            answer = b""
            while part := connection.recv(65536):
                answer += part
        assert answer.split()[1] in {b"400", b"401", b"429"}
        assert b"set-cookie" not in answer.lower()


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("localhost:8080", 200),
        ("LOCALHOST.", 200),
        ("[::1]:80", 200),
        ("127.8.8.8", 200),
        ("rowen.example.org", 200),
        ("Rowen.Example.Org:443", 200),
        ("evil.example.org", 421),
        ("localhost.evil.org", 421),
        ("127.0.0.1.evil.org", 421),
        ("127.0.0.1@evil.org", 421),
        ("evil.org/127.0.0.1", 421),
        ("0.0.0.0", 421),
        ("10.0.0.1", 421),
        ("", 421),
        ("[::1", 421),
    ],
)
def test_the_service_accepts_only_its_own_host_names(named, host, status):
    answer = named.get("/livez", headers={"Host": host})
    assert answer.status_code == status
    assert status == 200 or is_problem(answer, 421)


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("named") / "data", hosts=["rowen.example.org"])
    yield server
    server.end()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://proxied.example"}, 201),
        ({"Sec-Fetch-Site": "none"}, 201),
        ({"Origin": "http://localhost:1"}, 201),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Origin": "http://localhost:2"}, 403),
        ({"Origin": "http://localhost:2"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
    ],
)
def test_pages_of_other_sites_change_nothing(named, headers, status):
    sent = {"Host": "localhost:1", **headers}
    answer = named.post(b"text", headers=sent)
    assert answer.status_code == status
    if status == 403:
        assert is_problem(answer, 403)
        assert is_problem(named.put("/extractors/a", content=RULES, headers=sent), 403)
        assert is_problem(named.delete(f"/{NOBODY}", headers=sent), 403)
        assert named.get("/extractors", headers=sent).status_code == 200


def test_jobs_of_others_are_none(tenants, long_paper):
    tenant, stranger, _ = tenants
    document = tenant.add(long_paper)
    answer = tenant.get(f"/{document}/text", headers={"Prefer": "respond-async"})
    assert answer.status_code == 202
    theirs = stranger.get(answer.headers["location"])
    nobodys = stranger.get(f"/jobs/{NOBODY}.text.text.near")
    assert is_problem(theirs, 404)
    assert theirs.content == nobodys.content
    assert tenant.get(answer.headers["location"]).status_code == 200


def test_the_command_takes_all_of_it(tmp_path):
    secret = new_token(tmp_path / "tokens.json", "one")
    command = [
        sys.executable, "-m", "rowen", "serve", "--port", "0", "--workers", "1",
        "--auth", "tokens.json", "--allow-host", "Rowen.example.org",
    ]  # fmt: skip
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        url = json.loads(process.stderr.readline())["address"]
        good = {"Authorization": f"Bearer {secret}"}
        assert httpx.get(f"{url}/extractors", headers=good).json() == []
        assert is_problem(httpx.get(f"{url}/extractors"), 401)
        for host, status in (("rowen.example.org", 200), ("evil.example.org", 421)):
            answer = httpx.get(f"{url}/extractors", headers={**good, "Host": host})
            assert answer.status_code == status
        process.terminate()
        assert secret not in process.stderr.read()
    assert process.returncode == 0
