"""moto's S3 server, with the pictures as objects."""
import logging

import boto3
import pyarrow.fs
from moto.server import ThreadedMotoServer

BUCKET, REGION, KEY = "pictures", "eu-central-1", "check"


class Store:
    def __init__(self, pictures):
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self._server.start()
        self.address = "127.0.0.1:%d" % self._server.get_host_and_port()[1]
        self._client = boto3.client("s3", endpoint_url=f"http://{self.address}", region_name=REGION,
                                    aws_access_key_id=KEY, aws_secret_access_key=KEY)
        self._client.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
        self._numbers = [number for number, picture in pictures.items() if picture]
        for number in self._numbers:
            self._client.put_object(Bucket=BUCKET, Key=f"files/{number}", Body=pictures[number])
        self.environment = {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": KEY}
        self.arguments = ("--s3-buckets", BUCKET, "--s3-endpoint", f"http://{self.address}", "--s3-region", REGION)

    def urls(self, expected):
        """The objects as URLs by number."""
        return {number: f"s3://{BUCKET}/files/{number}" for number in self._numbers if number in expected}

    def put_parquet(self, folder):
        for path in folder.glob("*.parquet"):
            self._client.upload_file(str(path), BUCKET, f"parquet/{path.name}")

    def files(self):
        return pyarrow.fs.S3FileSystem(access_key=KEY, secret_key=KEY, region=REGION, scheme="http",
                                       endpoint_override=self.address)

    def stop(self):
        self._server.stop()
