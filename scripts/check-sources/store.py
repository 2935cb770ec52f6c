"""moto's S3 server, which verifies signatures and permissions, and the objects that the checks read."""
import json
import urllib.request

from buckets import Buckets

ALLOWED, OTHER, DOTTED, CROPS = "photos", "others", "my.photos", "crops"
KEYS = ["team.jpg", "a folder/team photo.jpg", "a+b=c&d.jpg", "caf\u00e9 \u4e2d\u6587.jpg", "50%?#.jpg", "(a)'!*~.jpg",
        "a//b.jpg"]
READING = ["GetObject", "GetObjectVersion", "ListBucket"]
WRITING = ["GetObject", "PutObject", "ListBucket", "ListBucketMultipartUploads", "AbortMultipartUpload"]
POLICY = {"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Action": [f"s3:{action}" for action in actions],
     "Resource": [f"arn:aws:s3:::{name}{end}" for name in names for end in ("", "/*")]}
    for actions, names in ((READING, (ALLOWED, DOTTED)), (WRITING, (CROPS,)))
]}


class Store(Buckets):
    def __init__(self, image: bytes, older: bytes):
        super().__init__(ALLOWED, OTHER, DOTTED, CROPS)
        for name in (ALLOWED, OTHER, DOTTED, CROPS):
            self.admin.put_object(Bucket=name, Key="team.jpg", Body=image)
        for key in KEYS:
            self.admin.put_object(Bucket=ALLOWED, Key=key, Body=image, CacheControl="max-age=9")
        self.admin.put_object(Bucket=ALLOWED, Key="no image", Body=b"text")
        self.admin.put_bucket_versioning(Bucket=ALLOWED, VersioningConfiguration={"Status": "Enabled"})
        self.old_version = self.admin.put_object(Bucket=ALLOWED, Key="versions.jpg", Body=older)["VersionId"]
        self.admin.put_object(Bucket=ALLOWED, Key="versions.jpg", Body=image)
        iam = self.client("iam", "admin", "admin")
        iam.create_user(UserName="headroom")
        iam.put_user_policy(UserName="headroom", PolicyName="read", PolicyDocument=json.dumps(POLICY))
        key = iam.create_access_key(UserName="headroom")["AccessKey"]
        self.credentials = key["AccessKeyId"], key["SecretAccessKey"]
        # From here on, the server checks signatures and permissions.
        request = urllib.request.Request(
            f"{self.endpoint}/moto-api/reset-auth", data=b"0", headers={"Content-Type": "text/plain"}, method="POST"
        )
        assert json.load(urllib.request.urlopen(request))["status"] == "ok"

    def is_strict(self):
        """Returns whether the server rejects a wrong secret; otherwise the checks would prove nothing."""
        try:
            self.client("s3", self.credentials[0], "wrong").get_object(Bucket=ALLOWED, Key="team.jpg")
        except Exception as error:
            return "SignatureDoesNotMatch" in str(error)
        return False
