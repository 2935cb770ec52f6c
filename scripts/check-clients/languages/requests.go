// Sends requests with Go's net/http: SERVICE IMAGE SOURCE. Prints name, status and media type of each request.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
)

func show(name string, response *http.Response, err error) {
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	io.Copy(io.Discard, response.Body)
	fmt.Printf("%s\t%d\t%s\n", name, response.StatusCode, response.Header.Get("Content-Type"))
}

func main() {
	service, source := os.Args[1], os.Args[3]
	image, err := os.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	query := url.Values{"url": {source}, "aspect": {"1:1"}}
	response, err := http.Get(service + "/frame?" + query.Encode())
	show("GET", response, err)
	response, err = http.Post(service+"/frame", "image/jpeg", bytes.NewReader(image))
	show("POST raw", response, err)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	form.WriteField("aspect", "1:1")
	form.WriteField("zoom", "")
	part, _ := form.CreateFormFile("image", "scene.jpg")
	part.Write(image)
	form.Close()
	response, err = http.Post(service+"/frame", form.FormDataContentType(), &body)
	show("POST multipart", response, err)
	response, err = http.PostForm(service+"/frame", query)
	show("POST form", response, err)
	// An object with a slice and a nil pointer.
	object, _ := json.Marshal(struct {
		URL    string   `json:"url"`
		Aspect []string `json:"aspect"`
		Zoom   *float64 `json:"zoom"`
	}{source, []string{"1:1"}, nil})
	response, err = http.Post(service+"/frame", "application/json", bytes.NewReader(object))
	show("POST JSON", response, err)
}
