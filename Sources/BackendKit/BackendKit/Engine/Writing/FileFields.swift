/// A file that a write sends in a field.
struct FileInField: Sendable {
  let field: String
  let fact: FileField
  let file: UploadedFile

  /// True if it is a part of a form with the other fields.
  var isInForm: Bool { if case .form? = fact.upload { true } else { false } }
}

/// The files among the fields of a write.
struct FileFields: ResourceWork {
  let place: ResourceTarget
  private let files: [FileInField]
  /// The most bytes of a file that are read back to see if it was kept.
  private static let mostReadBack = 1 << 20

  var isEmpty: Bool { files.isEmpty }
  /// Those in a form with the other fields.
  var inForm: [FileInField] { files.filter(\.isInForm) }
  /// Those that are sent each by itself.
  var alone: [FileInField] { files.filter { !$0.isInForm } }

  /// Takes them out of fields to set. Throws for a value that is no file of the call.
  init(taking fields: inout Object, _ place: ResourceTarget) throws(BackendError) {
    var files: [FileInField] = []
    for field in place.resource.fields {
      guard let fact = field.file, let value = fields[field.name] else { continue }
      guard fact.upload != nil else { throw .unsupported("\(field.name) is a file that cannot be sent") }
      guard let digest = UploadedFile.facts(in: value)?.sha256, let file = place.options.files[digest] else {
        throw .invalid(
          "\(field.name) is a file field, but its value is not a file", hint: "\(field.name)=@FILE sends one")
      }
      files.append(FileInField(field: field.name, fact: fact, file: file))
      fields[field.name] = nil
    }
    (self.place, self.files) = (place, files)
  }

  /// The same of changes.
  init(taking changes: inout [Change], _ place: ResourceTarget) throws(BackendError) {
    var set = Object()
    if place.resource.fields.contains(where: { $0.file != nil }) {
      for case .set(let name, let value) in changes { set[name] = value }
    }
    try self.init(taking: &set, place)
    changes.removeAll { [files] change in files.contains { $0.field == change.field } }
  }

  /// Sends files that go by themselves to their places below a record. `done` says what the write has done by then; nil if nothing.
  func send(
    of id: RecordID, at revision: String? = nil, after done: String?, _ receipt: inout WriteReceipt
  ) async throws(BackendError) {
    var done = done
    let files = alone
    for file in files {
      guard case .body(let method)? = file.fact.upload, let path = file.fact.path else { continue }
      do throws(BackendError) {
        var address = try place.address(id, isWriting: true)
        address.path = try address.path.appending(path)
        var (headers, none) = ([(String, String)](), Object())
        resource.revision?.insist(on: done == nil ? revision : nil, &headers, &address.query, &none)
        let request = place.request(
          method, address, headers: headers, RequestBody(file.file), isItem: true, effect: .write)
        try await WriteSender(place, id).send(request).checkIsNoPage(effect: .unknown)
      } catch {
        throw done.map { error.of(file.field, after: $0, id) } ?? error
      }
      done = (done.map { "\($0), " } ?? "") + "sent \(file.field)"
    }
    // A response from before no longer shows the record.
    if !files.isEmpty { (receipt.record, receipt.revision) = (nil, nil) }
  }

  /// Compares files that were sent with what the record shows of them, or with the content that it leads to.
  func look(in id: RecordID?, _ receipt: inout WriteReceipt) async {
    if receipt.record == nil, let id, resource.operations.contains(.get), !resource.showsWritesLater {
      receipt.record = try? await place.records.find(id)
    }
    guard let record = receipt.record?.fields else { return }
    for file in files {
      let shown = record[file.field] ?? .null
      if shown == .null, file.fact.path == nil || file.fact.size != nil {
        if receipt.record?.unloaded.contains(file.field) == true {
          receipt.hidden.append(file.field)
          receipt.notes.append(WriteReceipt.note(onHidden: [file.field]))
        } else {
          receipt.altered.append(file.field)
          receipt.notes.append(WriteReceipt.note(onAltered: file.field))
        }
        continue
      }
      guard let size = await difference(of: file, shown, id) else { continue }
      receipt.altered.append(file.field)
      receipt.notes.append(
        size == file.file.size
          ? "the server has another content of \(file.field) than was sent"
          : "the server reports \(counted(size, "byte")) of \(file.field), but \(file.file.size.grouped) were sent")
    }
  }

  /// The size of the content that a record leads to, if it is not the file that was sent; nil if it is, or nothing shows
  /// whether it is. Of a large file only the size is compared.
  private func difference(of file: FileInField, _ shown: Value, _ id: RecordID?) async -> Int? {
    if let size = file.fact.size(in: shown), size != file.file.size { return size }
    guard let id, !resource.showsWritesLater else { return nil }
    do throws(BackendError) {
      let found = try await place.content(of: file.field, file.fact, shown, id)
      if let size = found.size, size != file.file.size { return size }
      guard file.file.size <= Self.mostReadBack else { return nil }
      var (digest, size) = (SHA256(), 0)
      while size <= Self.mostReadBack, let piece = try await found.body.next() {
        digest.add(piece)
        size += piece.count
      }
      return digest.hex == file.file.sha256 ? nil : size
    } catch { return nil }
  }
}

extension ResourceTarget {
  /// Begins to read the content of a file.
  func download(_ field: String, of id: RecordID) async throws(BackendError) -> FileDownload {
    guard let fact = resource.fields.named(field)?.file else {
      throw .unsupported("\(field) is not described as a file")
    }
    var shown: Value?
    if fact.path == nil || fact.size != nil || owner != nil {
      try require(.get)
      let record = try await records.readOwned(id)
      guard let value = record.fields[field], value != .null else {
        throw BackendError(.notFound, "\(field) has no file", effect: .rejected)
      }
      shown = value
    }
    return try await content(of: field, fact, shown, id)
  }

  /// Begins to read the content of a file, of which the record shows this value.
  fileprivate func content(
    of field: String, _ fact: FileField, _ shown: Value?, _ id: RecordID
  ) async throws(BackendError) -> FileDownload {
    var address = try self.address(id)
    guard fact.path != nil || shown?.at(fact.link)?.text != nil else {
      throw .badResponse("\(field) does not show where its file is")
    }
    let link = shown?.at(fact.link)?.text.flatMap { Link.cleaned($0) }
    if let path = fact.path { address.path = try address.path.appending(path) }
    var request = request(
      "GET", address, headers: [("Accept", "*/*"), ("Accept-Encoding", "identity")], isItem: true, effect: .read)
    if fact.path == nil, let link { request.link = Link.resolved(link, against: request.target) }
    request.isLong = true
    let answer = try await read(request, id)
    guard answer.status == 200 || answer.status == 203 else {
      throw .badResponse(
        "the server responded with status \(answer.status) instead of a file", httpStatus: answer.status)
    }
    return FileDownload(
      type: answer.header("Content-Type"),
      size: fact.size(in: shown) ?? answer.header("Content-Length").flatMap { Int($0) },
      body: answer.body)
  }
}

extension BackendError {
  /// The error of a later request of a write whose earlier ones were done to a record.
  fileprivate func of(_ field: String, after done: String, _ id: RecordID) -> BackendError {
    let fate =
      switch effect {
      case .notSent: "was not sent"
      case .rejected: "was refused"
      case .applied, .unknown: "may not have arrived"
      }
    var error = self
    error.id = id.text
    error.message = "\(done), but \(field) \(fate): \(message)"
    if effect != .unknown { error.effect = .applied }
    return error
  }
}
