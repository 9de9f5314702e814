"""An authorization server of the Django OAuth Toolkit, and a service of contacts that its tokens open; it is used as `signin_authlib.py`.

usage: signin_django.py PORT FOLDER

An application has one grant here, so that those for devices are `phone` and `officephone`. In `POST /control`, `ahead` ends the tokens."""
import json, os, re, socketserver, sys, types
from wsgiref.simple_server import WSGIServer, make_server

port, folder = int(sys.argv[1]), sys.argv[2]
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
import django
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings

key = rsa.generate_private_key(65537, 2048).private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
os.makedirs(f"{folder}/pages/registration")
with open(f"{folder}/pages/registration/login.html", "w") as page: page.write("<form method=post>{% csrf_token %}{{ form }}<button>Log in</button></form>")
authentication, sessions = "django.contrib.auth", "django.contrib.sessions"
settings.configure(
    SECRET_KEY="of this run alone", ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF="pages", USE_TZ=True, LOGIN_URL="/login", DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{folder}/database", "OPTIONS": {"timeout": 30}}},
    INSTALLED_APPS=[authentication, "django.contrib.contenttypes", sessions, "oauth2_provider"],
    MIDDLEWARE=["pages.noted", f"{sessions}.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware", f"{authentication}.middleware.AuthenticationMiddleware"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "DIRS": [f"{folder}/pages"],
                "OPTIONS": {"context_processors": ["django.template.context_processors.request", f"{authentication}.context_processors.auth"]}}],
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True, "OIDC_RSA_PRIVATE_KEY": key.decode(), "SCOPES": {"openid": "Who you are", "contacts.read": "Read contacts"},
        "ACCESS_TOKEN_EXPIRE_SECONDS": lambda _: control["lifetime"], "PKCE_REQUIRED": True, "ROTATE_REFRESH_TOKEN": True, "REFRESH_TOKEN_REUSE_PROTECTION": True, "DEVICE_FLOW_INTERVAL": 1,
        "OAUTH_DEVICE_VERIFICATION_URI": f"http://127.0.0.1:{port}/o/device/", "OAUTH2_VALIDATOR_CLASS": "pages.Validator"})

pages = sys.modules["pages"] = types.ModuleType("pages")
requests, control = [], {"lifetime": 3600}


def noted(respond):
    """Notes each request, and the secrets in it and in its response."""
    def answer(request):
        response = respond(request)
        if request.path == "/control": return response
        found = [request.POST.get(name) for name in ("code", "code_verifier", "refresh_token", "token", "device_code")] if request.path.startswith("/o/") else []
        if request.path.startswith("/o/"): found += re.findall(r"[?&]code=([^&]+)", response.get("Location", ""))
        if response.get("Content-Type", "").startswith("application/json") and request.path.startswith("/o/"):
            given = json.loads(response.content)
            found += [given.get(name) for name in ("access_token", "refresh_token", "id_token", "device_code")]
        with open(f"{folder}/secrets", "a") as file: file.writelines(f"{text}\n" for text in found if text)
        requests.append({"path": request.path.replace("/o/token/", "/token"), "grant": request.POST.get("grant_type")})
        return response
    return answer


pages.noted = noted
django.setup()
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.http import JsonResponse
from django.urls import include, path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider.models import AccessToken, Application, RefreshToken
from oauth2_provider.oauth2_backends import get_oauthlib_core
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauth2_provider.urls import metadata_urlpatterns


class Validator(OAuth2Validator):
    oidc_claim_scope = None
    def get_additional_claims(self, request): return {"preferred_username": request.user.username}


pages.Validator = Validator
call_command("migrate", verbosity=0)
ana = User.objects.create_user("ana", password="person")
for name, secret, grant in (
    ("desk", "", "authorization-code"), ("office", "0ffice: s3cret+%", "authorization-code"), ("post", "p0st s3cret & more", "authorization-code"),
    ("phone", "", "urn:ietf:params:oauth:grant-type:device_code"), ("officephone", "0ffice: s3cret+%", "urn:ietf:params:oauth:grant-type:device_code"),
): Application.objects.create(client_id=name, client_secret=secret, client_type="confidential" if secret else "public", name=name, user=ana,
    authorization_grant_type=grant, redirect_uris="http://127.0.0.1/callback", algorithm="RS256")


def contacts(request):
    number = int(request.GET.get("page", 1))
    if number == control.get("ends before"):
        del control["ends before"]
        AccessToken.objects.update(expires=timezone.now())
    valid, held = get_oauthlib_core().verify_request(request, ["contacts.read"])
    if not valid: return JsonResponse({"detail": "The token has ended."}, status=401)
    items = [{"id": n, "name": f"Contact {n}", "of": held.user.username} for n in range(number * 10 - 9, number * 10 + 1) if n <= 30]
    return JsonResponse({"total": 30, "items": items})


@csrf_exempt
def controls(request):
    given = json.loads(request.body) if request.body else {}
    if given.pop("ahead", 0): AccessToken.objects.update(expires=timezone.now())
    if given.pop("revoke", None): [token.revoke() for token in RefreshToken.objects.filter(revoked=None)]
    if given.pop("forget", None): requests.clear()
    control.update(given)
    held = RefreshToken.objects.filter(revoked=None).order_by("id")
    return JsonResponse({"requests": requests, "tokens": [{"access": one.access_token.token, "refresh": one.token, "client": one.application.client_id} for one in held]})


pages.urlpatterns = [
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")), path("", include((metadata_urlpatterns, "metadata"))),
    path("login", LoginView.as_view()), path("contacts", contacts), path("control", controls)]


class Threads(socketserver.ThreadingMixIn, WSGIServer): daemon_threads = True


make_server("127.0.0.1", port, get_wsgi_application(), server_class=Threads).serve_forever()
