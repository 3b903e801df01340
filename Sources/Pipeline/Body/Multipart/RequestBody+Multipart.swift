extension RequestBody {
    /// A form with files, `multipart/form-data` (RFC 7578).
    ///
    ///     let body = RequestBody.multipart([.field("title", "Holiday"), .file("photo", at: photo)])
    ///
    /// - Parameter parts: The entries, in their order.
    public static func multipart(_ parts: [FormPart]) -> RequestBody { multipart(.formData(parts)) }

    /// A body made of parts, of any kind.
    ///
    /// It is read part by part while it is sent, never put together in memory.
    public static func multipart(_ multipart: Multipart) -> RequestBody {
        RequestBody(.multipart(multipart), contentType: multipart.contentType)
    }
}
