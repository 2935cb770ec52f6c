import HeadroomAPI

extension HostileAddress {
    /// Shopify's URLs.
    static let shopify = Form(
        modes: [
            "", "width=30&height=20", "crop=region", "crop=region&crop_left=1&crop_top=2&crop_width=3&crop_height=4",
            "width=30&height=20&pad_color=000",
        ],
        seeds: [
            "/shopify/s/files/1/0688/files/a.jpg?v=168&width=400&height=300&crop=top&format=pjpg&pad_color=fa0",
            "/shopify/a/b_300x200_crop_center@2x.progressive.jpg?v=1",
            "/shopify/https://h/b_grande.jpg?crop=region&crop_left=1&crop_top=2&crop_width=3&crop_height=4",
        ]
    ) { options in
        let value = options.last?.value ?? ""
        return [
            ForeignURL(path: "/\(source)", query: query(options)), ForeignURL(path: "/a.jpg", query: query(options)),
            ForeignURL(path: "/a_\(value)_crop_\(value)@2x.jpg", query: query(options)),
            ForeignURL(path: "/a_\(encoded(value))x\(value).jpg", query: query(options)),
        ]
    }
}
