# Sends requests with Ruby's net/http: SERVICE IMAGE SOURCE. Prints name, status and media type of each request.
require "json"
require "net/http"

service, path, source = ARGV
frame = URI("#{service}/frame")
query = { "url" => source, "aspect" => "1:1" }

def show(name, response)
  puts "#{name}\t#{response.code}\t#{response["Content-Type"]}"
end

show("GET", Net::HTTP.get_response(URI("#{frame}?#{URI.encode_www_form(query)}")))
show("POST raw", Net::HTTP.post(frame, File.binread(path), "Content-Type" => "image/jpeg"))
File.open(path, "rb") do |file|
  request = Net::HTTP::Post.new(frame)
  request.set_form([["aspect", "1:1"], ["zoom", ""], ["image", file]], "multipart/form-data")
  show("POST multipart", Net::HTTP.start(frame.host, frame.port) { |http| http.request(request) })
end
show("POST form", Net::HTTP.post_form(frame, query))
object = JSON.generate("url" => source, "aspect" => ["1:1"], "zoom" => nil)
show("POST JSON", Net::HTTP.post(frame, object, "Content-Type" => "application/json"))
