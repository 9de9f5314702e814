/// The body of a request and its content type.
struct RequestBody {
  private var type: String?
  private(set) var bytes: [UInt8]?
  /// Content that is streamed.
  private(set) var content: StreamedBody?

  /// The content of one file.
  init(_ file: UploadedFile) { (type, content) = (file.type, StreamedBody(file)) }

  /// A document with a content type, unless a form replaces both; empty without a document.
  init(_ document: Value?, as form: Service.BodyForm, type: String) throws(BackendError) {
    guard let document else { return }
    switch form {
    case .json:
      var bytes: [UInt8] = []
      JSONWriter.write(document, to: &bytes)
      (self.type, self.bytes) = (type, bytes)
    case .form, .repeatingForm:
      self.type = "application/x-www-form-urlencoded"
      bytes = Array(PercentEncoding.form(try FormPairs.of(document, repeating: form == .repeatingForm)).utf8)
    }
  }

  /// A form of the members of a document, and of files.
  init(
    _ document: Value, as form: Service.BodyForm, _ files: [FileInField], in wrapping: [String]?
  ) throws(BackendError) {
    let pairs = try FormPairs.of(document, repeating: form == .repeatingForm)
    let form = MultipartForm(pairs, files.map { ($0.part(in: wrapping ?? []), $0.file) })
    (type, content) = (form.contentType, form.body)
  }

  /// The header fields with the content type, which one of the others may replace unless content is streamed.
  func headers(beside others: [(String, String)]) -> [(String, String)] {
    guard let type, content != nil || !others.contains(where: { $0.0 == "Content-Type" }) else { return others }
    return [("Content-Type", type)] + others
  }
}

extension FileInField {
  /// The name of its part in a form whose other fields are nested.
  fileprivate func part(in wrapping: [String]) -> String {
    if case .form(let part?)? = fact.upload { return part }
    let names = wrapping + [field]
    return names[0] + names.dropFirst().map { "[\($0)]" }.joined()
  }
}

extension ResourceTarget {
  /// The body for a document and files.
  func body(
    _ document: Value?, as form: Service.BodyForm = .json, _ files: [FileInField] = [], in wrapping: [String]? = nil
  ) throws(BackendError) -> RequestBody {
    guard let document, !files.isEmpty else {
      return try RequestBody(document, as: form, type: resource.contentType ?? service.contentType)
    }
    return try RequestBody(document, as: form, files, in: wrapping)
  }

  /// The document that sends fields of a record.
  func document(
    _ fields: Object, of id: RecordID?, in wrapping: [String]?, around: Object? = nil
  ) throws(BackendError) -> Value {
    let fields = resource.written(fields)
    if let form = resource.wrapping, isAsRead(wrapping) { return form.wrapped(fields, in: around) }
    let document =
      try service.hooks.wrap?(fields, id, resource)
      ?? resource.shape.document(fields, of: id, resource) { name in
        service.resources.first { $0.name == name }?.recordType ?? name
      }
    return document.wrapped(in: wrapping ?? [])
  }

  /// Returns whether fields are written in the form in which they are read.
  func isAsRead(_ wrapping: [String]?) -> Bool {
    guard let form = resource.wrapping, service.hooks.wrap == nil, resource.shape == .plain else { return false }
    return wrapping == nil || wrapping == form.member
  }
}
