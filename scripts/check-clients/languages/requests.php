<?php
// Sends requests with PHP's extension curl: SERVICE IMAGE SOURCE. Prints name, status and media type of each request.
[, $service, $path, $source] = $argv;
$query = ["url" => $source, "aspect" => "1:1"];

function send(string $name, string $address, array $options = []): void
{
    $handle = curl_init($address);
    curl_setopt_array($handle, $options + [CURLOPT_RETURNTRANSFER => true]);
    curl_exec($handle);
    $status = curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
    echo "$name\t$status\t" . curl_getinfo($handle, CURLINFO_CONTENT_TYPE) . "\n";
}

send("GET", "$service/frame?" . http_build_query($query));
send("POST raw", "$service/frame", [CURLOPT_POSTFIELDS => file_get_contents($path)]);
$form = ["image" => new CURLFile($path), "aspect" => "1:1", "zoom" => ""];
send("POST multipart", "$service/frame", [CURLOPT_POSTFIELDS => $form]);
send("POST form", "$service/frame", [CURLOPT_POSTFIELDS => http_build_query($query)]);
$json = json_encode(["url" => $source, "aspect" => ["1:1"], "zoom" => null]);
$fields = [CURLOPT_POSTFIELDS => $json, CURLOPT_HTTPHEADER => ["Content-Type: application/json"]];
send("POST JSON", "$service/frame", $fields);
