import Geometry
import Imaging

extension CodedFile {
    /// JPEG XL files, encoded by libjxl.
    package static let jpegxl: [CodedFile] = [
        CodedFile(
            "jxl-lossy",
            PixelSize(width: 64, height: 48),
            [.red, .green, .blue, .gray],
            .rgb,
            depth: 8,
            """
            /wrLBgAViAIAyAa1nyAAABUqo4wbvJzr+fJDh8W0jesMbbVtYQljs70wSJgAaIkowTEyLigMGDbZGBZiCIDCA2N8UTNMHAO4x14H\
            G/rSjZn1h+g3xS/XrRYQ9I5qQIxprXGjHcnoyeJhIQzKYvhWQuvofeMb/FHP989/ZP77BOApZAsnwHg4t92FQUU4x5j5CuLpST7I\
            ayVYqJ8xsNoRHhSIXPkeUhEQ5f1vsAO4BC0ASWADbO5Jjgf+uKhn7Q8tggTx8XRmRXys6zbuurZVaF2DV7ruBYCEEtON5WOR+zeL\
            3L9vUUiBNNitpOPd5czFiTMxzjOdAYAuPF5NwfTcdir8dUF96nNyFyqmiAMSCXKNjIqeUWCB6k0nCYRlPjaihPQ6JTIAcuDw8/jK\
            TuZfXcRhVGlD4HCZv34q9Ysb7/bmPHOffYfCmfE/KQWLgjdfatWpqZa1a9wNkQ5G4cSpOA+X1DwZl0ZfW26loBFRFm9auIBaIwFN\
            uEZDxPV30bG3mUHMVeG83TIY/8N+h7xbLjP+jV+v9n0CKvm+O5Q8l4n9vDY8v62wu8a3c8VQSVuORS0vaz1Fstt6LeOnAg==
            """
        ),
        CodedFile(
            "jxl-lossless",
            PixelSize(width: 61, height: 45),
            [.red, .green, .blue, .gray],
            .rgb,
            depth: 8,
            """
            /wpgAXiASAgAAQDMAEs4aZjKg/crSAiAGj8f48TJCwQBIEiAtABgSP4CJEI7EyAgfRlixD70ZiE6Bx75NI6oVw==
            """
        ),
        CodedFile(
            "jxl-gray",
            PixelSize(width: 64, height: 48),
            .grays,
            .gray,
            depth: 8,
            """
            /wrLQFDcCAgAAQCcAEs4aZjKg/coSAiAEvu78eNeAAgAAMLogIABhwOQ4gFByJKkG3vbBw==
            """
        ),
        CodedFile(
            "jxl-alpha",
            PixelSize(width: 64, height: 48),
            .colors,
            .rgb,
            depth: 8,
            hasAlpha: true,
            """
            /wrLwEoIABAA3ABLOGmYyoP3KyiYAFAj/scY44+XCwgBEEh59wEA/Y87AyQ4w9AgeL9Zrnz9sOvP/iitL+FIuLsF
            """
        ),
    ]
}
