"""A person at a browser: opens an address, logs in as ana, agrees or denies, and follows where that leads.

usage: browser.py ADDRESS, with $HOME/browser.json: `answer` (yes, no), and a `trick` on the way, as an attacker plays it or a mistake makes it.
$HOME/browser.log gets a JSON line for each page: its status, address and text."""
import html, http.cookiejar, json, os, re, sys, urllib.error, urllib.parse, urllib.request

place = os.path.dirname(os.path.abspath(sys.argv[0])) if len(sys.argv) < 3 else sys.argv[2]
wishes = json.load(open(f"{place}/browser.json"))
trick = wishes.get("trick")


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_): return None


# The machine's proxies are not for this machine.
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), Stay())


def load(address, form=None):
    """Where a page leads, and its text."""
    data = form and urllib.parse.urlencode(form).encode()
    try: response = opener.open(urllib.request.Request(address, data, {"Referer": address}), timeout=60)
    except urllib.error.HTTPError as error: response = error
    except OSError as error:
        note(0, address, str(error))
        return None, ""
    text = response.read().decode()
    note(response.status, address, text)
    to = response.headers.get("Location")
    return (urllib.parse.urljoin(address, to) if to else None), text


def note(status, address, text):
    with open(f"{place}/browser.log", "a") as log: log.write(json.dumps({"status": status, "address": address, "text": text}) + "\n")


def changed(address, **parameters):
    """The address with other parameters; None leaves one out."""
    parts = urllib.parse.urlsplit(address)
    query = dict(urllib.parse.parse_qsl(parts.query)) | parameters
    return parts._replace(query=urllib.parse.urlencode({n: v for n, v in query.items() if v is not None})).geturl()


def arrive(address):
    """The redirect to the console, with what may happen to it."""
    code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query)).get("code")
    if trick == "other state": load(changed(address, state="of another"))
    if trick == "no state": load(changed(address, state=None))
    if trick == "other issuer": address = changed(address, iss="http://127.0.0.1:1")
    if trick == "no issuer": address = changed(address, iss=None)
    if trick == "other code": address = changed(address, code=code[::-1])
    if trick == "code used before":
        form = {"grant_type": "authorization_code", "client_id": "desk", "code": code, "redirect_uri": address.split("?")[0], "code_verifier": "v" * 43}
        load(wishes["token"], form)
    load(address)
    if trick == "twice": load(address)


def attributes(tag): return {name: html.unescape(quoted or plain) for name, quoted, plain in re.findall(r'([a-z_]+)=(?:"([^"]*)"|([^\s>"]+))', tag)}


def filled(text):
    """What a person types and presses in the form of a page."""
    agrees = wishes.get("answer", "yes") == "yes"
    if re.search('name="?password', text): return {"user": "ana", "username": "ana", "password": "person"}
    code = {"user_code": wishes.get("code") or attributes(re.search('<input[^>]*name="?user_code[^>]*>', text)[0]).get("value", "")} if re.search('name="?user_code', text) else {}
    if 'name="allow"' in text: return {"allow": "Authorize"} if agrees else {}
    if 'name="action"' in text: return {"action": "accept" if agrees else "deny"}
    return code | ({"answer": "yes" if agrees else "no"} if "name=answer" in text else {})


address = sys.argv[1]
if trick == "other challenge": address = changed(address, code_challenge="c" * 43)
if trick == "no challenge": address = changed(address, code_challenge=None, code_challenge_method=None)
for _ in range(12):
    to, text = load(address)
    if to is None and "<form" in text:
        form = {field["name"]: field.get("value", "") for field in map(attributes, re.findall(r"<input[^>]*>", text)) if field.get("type") == "hidden"}
        form |= filled(text)
        to, text = load(address, form)
    if to is None: break
    if "/callback?" in to:
        arrive(to)
        break
    address = to
