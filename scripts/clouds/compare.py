"""Compares what the gateway signs with the vendors' own libraries. Reads the samples from standard input."""

import base64
import json
import os
import sys
from datetime import datetime, timezone
from unittest import mock

import botocore.auth
import botocore.session
import jwt
from azure.identity import CertificateCredential
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from google.auth import jwt as google_jwt

samples = json.load(sys.stdin)
faults = []


def check(name, one, other):
    print(("ok   " if one == other else "FAIL ") + name)
    if one != other:
        faults.append(name)


keys = samples["credentials"]
for sample in samples["requests"]:
    signed = sample["signed"]
    session = keys["sessionToken"] if sample["hasSession"] else None
    credentials = Credentials(keys["accessKeyId"], keys["secretAccessKey"], session)
    time = datetime.strptime(signed["x-amz-date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
    request = AWSRequest("POST", sample["url"], headers={"content-type": "application/json"}, data=sample["body"].encode())
    with mock.patch("botocore.auth.get_current_datetime", return_value=time.replace(tzinfo=None)):
        botocore.auth.SigV4Auth(credentials, sample["service"], "eu-west-1").add_auth(request)
    check(f"botocore signs {sample['url']} {'with' if session else 'without'} a session", request.headers["Authorization"], signed["authorization"])

for chain in samples["chains"]:
    with mock.patch.dict(os.environ, chain["environment"], clear=True):
        found = botocore.session.Session().get_credentials()
    names = ", ".join(name for name in chain["environment"] if name in ("AWS_PROFILE", "AWS_ACCESS_KEY_ID"))
    check("botocore finds the same keys with " + (names or "the files"), found.access_key, chain["id"])

certificate = samples["certificate"].encode()
claims = google_jwt.decode(samples["google"], certs={"one": certificate}, audience="https://audience.example")
check("google-auth verifies the assertion", claims["iss"], "x@y")

public = x509.load_pem_x509_certificate(certificate).public_key()
told = jwt.decode(samples["azure"], public, algorithms=["PS256"], audience="https://audience.example")
check("the assertion for Entra ID is signed with PS256", told["iss"], "x@y")
thumbprint = base64.urlsafe_b64encode(x509.load_pem_x509_certificate(certificate).fingerprint(hashes.SHA256()))
check(
    "the assertion names the certificate",
    jwt.get_unverified_header(samples["azure"])["x5t#S256"],
    thumbprint.decode().rstrip("="),
)
# The library raises an error for a file that it cannot read.
CertificateCredential("tenant", "client", certificate_data=samples["pem"].encode())

sys.exit(1 if faults else 0)
