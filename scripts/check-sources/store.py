"""moto's S3 server, which verifies signatures and permissions, and the objects that the checks read."""
import json
import logging
import urllib.request

import boto3
import botocore.config
from moto.server import ThreadedMotoServer

REGION = "eu-central-1"
ALLOWED, OTHER, DOTTED, CROPS = "photos", "others", "my.photos", "crops"
KEYS = ["team.jpg", "a folder/team photo.jpg", "a+b=c&d.jpg", "caf\u00e9 \u4e2d\u6587.jpg", "50%?#.jpg", "(a)'!*~.jpg", "a//b.jpg"]
POLICY = {
    "Version": "2012-10-17",
    "Statement": [{
        "Effect": "Allow",
        "Action": ["s3:GetObject", "s3:GetObjectVersion", "s3:ListBucket"],
        "Resource": [f"arn:aws:s3:::{name}{end}" for name in (ALLOWED, DOTTED) for end in ("", "/*")],
    }, {
        "Effect": "Allow",
        "Action": ["s3:GetObject", "s3:PutObject", "s3:ListBucket", "s3:ListBucketMultipartUploads",
                   "s3:AbortMultipartUpload"],
        "Resource": [f"arn:aws:s3:::{CROPS}{end}" for end in ("", "/*")],
    }],
}


class Store:
    def __init__(self, picture: bytes, older: bytes):
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self.server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self.server.start()
        self.endpoint = "http://127.0.0.1:%d" % self.server.get_host_and_port()[1]
        admin = self.client("s3", "admin", "admin")
        for name in (ALLOWED, OTHER, DOTTED, CROPS):
            admin.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": REGION})
            admin.put_object(Bucket=name, Key="team.jpg", Body=picture)
        for key in KEYS:
            admin.put_object(Bucket=ALLOWED, Key=key, Body=picture, CacheControl="max-age=9")
        admin.put_object(Bucket=ALLOWED, Key="no picture", Body=b"text")
        admin.put_bucket_versioning(Bucket=ALLOWED, VersioningConfiguration={"Status": "Enabled"})
        self.old_version = admin.put_object(Bucket=ALLOWED, Key="versions.jpg", Body=older)["VersionId"]
        admin.put_object(Bucket=ALLOWED, Key="versions.jpg", Body=picture)
        iam = self.client("iam", "admin", "admin")
        iam.create_user(UserName="headroom")
        iam.put_user_policy(UserName="headroom", PolicyName="read", PolicyDocument=json.dumps(POLICY))
        key = iam.create_access_key(UserName="headroom")["AccessKey"]
        self.credentials = key["AccessKeyId"], key["SecretAccessKey"]
        # From now on signatures and permissions are checked.
        request = urllib.request.Request(
            f"{self.endpoint}/moto-api/reset-auth", data=b"0", headers={"Content-Type": "text/plain"}, method="POST"
        )
        assert json.load(urllib.request.urlopen(request))["status"] == "ok"

    def client(self, name, key, secret):
        return boto3.client(
            name, endpoint_url=self.endpoint, region_name=REGION, aws_access_key_id=key, aws_secret_access_key=secret,
            config=botocore.config.Config(s3={"addressing_style": "path"}),
        )

    def is_strict(self):
        """Whether the server refuses a wrong secret, so that the checks below mean something."""
        try:
            self.client("s3", self.credentials[0], "wrong").get_object(Bucket=ALLOWED, Key="team.jpg")
        except Exception as error:
            return "SignatureDoesNotMatch" in str(error)
        return False

    def stop(self):
        self.server.stop()
