"""Buckets for the checks: moto's S3 server."""
import logging

import boto3
import botocore.config
from moto.server import ThreadedMotoServer

REGION = "eu-central-1"


class Buckets:
    """Runs the server with some empty buckets."""

    def __init__(self, *names):
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self.server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self.server.start()
        self.address = f"127.0.0.1:{self.server.get_host_and_port()[1]}"
        self.endpoint = f"http://{self.address}"
        self.admin = self.client("s3", "admin", "admin")
        for name in names:
            self.admin.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": REGION})

    def options(self, buckets):
        """Returns the options of headroom for the server."""
        return ["--s3-endpoint", self.endpoint, "--s3-region", REGION, "--s3-buckets", buckets]

    def client(self, name, key, secret):
        return boto3.client(
            name, endpoint_url=self.endpoint, region_name=REGION, aws_access_key_id=key, aws_secret_access_key=secret,
            config=botocore.config.Config(s3={"addressing_style": "path"}),
        )


def variables(key, secret):
    """Returns the environment of a program, with credentials."""
    return {"AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret}
