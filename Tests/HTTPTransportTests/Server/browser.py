"""A person's browser, as far as a login needs one: opens an address, follows where it leads, and prints the status and the page."""

import sys
import urllib.error
import urllib.request

# The machine's proxies are not for this machine.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
try:
    with OPENER.open(sys.argv[1], timeout=180) as answer:
        print(answer.status, answer.read().decode())
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
