package import BackendKit

/// The resources that only a document of the service describes. They are in a file beside the description: a line with
/// an index, then a line for each. The description has the digest of the index, and the index those of the lines, so
/// that only those are read that are used.
struct DocumentedFacts: Facts {
  let from: SectionNode

  /// The length and the digest of the index; nil if there is none.
  @discardableResult
  func index() -> (size: Int, digest: String)? {
    let size = integer("size", 1...(64 << 20), "the length of the index in bytes")
    let digest = text("digest", "its SHA-256 digest, in hexadecimal digits")
    guard isThere else { return nil }
    guard let size, let digest else {
      missing(size == nil ? "size" : "digest")
      return nil
    }
    return (size, digest)
  }

  /// The resources in a file, besides those that the description has itself; their sections are completed by those in
  /// `shared`.
  func resources(
    below shared: Node?, besides own: Set<String>, in companion: DescriptionSource.Companion?
  ) -> OutlinedResources<Service.Resource>? {
    guard let (size, digest) = index() else { return nil }
    guard let companion else {
      mistake("there is no file beside this description")
      return nil
    }
    do throws(BackendError) {
      let lines = try DocumentedLine.index(in: companion.value(0..<size, digest)).filter {
        !own.contains($0.outline.name)
      }
      let places = Dictionary(lines.map { ($0.outline.name, $0) }, uniquingKeysWith: { first, _ in first })
      let isTrusted = reading.isTrusted
      return OutlinedResources(lines.map(\.outline)) { outline throws(BackendError) in
        guard let line = places[outline.name] else {
          throw BackendError(.notFound, "unknown resource \"\(outline.name)\"", effect: .notSent)
        }
        let value = try companion.value(line.range, line.digest)
        let place = Place(file: companion.name, path: [outline.name])
        return try DocumentedLine.resource(outline, value, at: place, below: shared, isTrusted: isTrusted)
      }
    } catch {
      mistake(error.message, hint: error.hint)
      return nil
    }
  }

  /// The sections of one of the resources in a file, as they are there; nil if it has no such resource.
  func sections(of name: String, in companion: DescriptionSource.Companion?) throws(BackendError) -> Object? {
    guard let (size, digest) = index(), let companion else { return nil }
    let lines = try DocumentedLine.index(in: companion.value(0..<size, digest))
    guard let line = lines.first(where: { $0.outline.name == name }) else { return nil }
    return try companion.value(line.range, line.digest).object
  }
}

/// A resource in the index of such a file.
package struct DocumentedLine: Sendable {
  fileprivate let outline: ResourceOutline
  /// The bytes of its line.
  fileprivate let range: Range<Int>
  fileprivate let digest: String

  /// Reads an index. Throws `misconfigured` if it is none.
  fileprivate static func index(in value: Value) throws(BackendError) -> [DocumentedLine] {
    let lines = value.object?["resources"]?.array?.map { value -> DocumentedLine? in
      guard let line = value.object, let name = line["name"]?.text, let digest = line["digest"]?.text,
        let start = line["at"]?.integer, let size = line["size"]?.integer, start >= 0, size >= 0, start <= 1 << 40,
        size <= 64 << 20
      else { return nil }
      let owners = line["owners"]?.array?.compactMap(\.text) ?? []
      return DocumentedLine(
        outline: ResourceOutline(name: name, group: line["group"]?.text, owners: owners), range: start..<(start + size),
        digest: digest)
    }
    guard let lines, !lines.contains(where: { $0 == nil }) else {
      throw .misconfigured("the index of documented resources cannot be read")
    }
    return lines.compactMap(\.self)
  }

  /// Reads the sections of a resource. Throws `misconfigured` for the first mistake in them.
  package static func resource(
    _ outline: ResourceOutline, _ sections: Value, at place: Place, below shared: Node? = nil, isTrusted: Bool = false
  ) throws(BackendError) -> Service.Resource {
    let node = Node(sections, at: place)
    var check = Check()
    check.check(node, .section(.resource))
    let reading = Reading(isTrusted: isTrusted)
    let section = SectionNode(node.over(shared, .section(.resource)), at: place, reading)
    let resource = ResourceFacts(section).resource(outline.name, known: nil)
    guard let mistake = (check.mistakes + reading.mistakes).first else { return resource }
    throw .misconfigured("\(mistake.place): \(mistake.message)", hint: mistake.hint)
  }

  /// Returns the text of a file with these resources, and what the description says of it.
  package static func file(
    _ resources: [(outline: ResourceOutline, sections: Object)]
  ) -> (bytes: [UInt8], section: Object) {
    let lines = resources.map { Array(JSONWriter.compact(.object($0.sections)).utf8) + [0x0A] }
    /// The index says where the lines are, and its own length moves them: they begin where the longest would end.
    func index(from start: Int) -> [UInt8] {
      var start = start
      let entries = zip(resources, lines).map { resource, line -> Value in
        defer { start += line.count }
        var entry = Object([
          ("name", .string(resource.outline.name)), ("at", .int(start)), ("size", .int(line.count)),
          ("digest", .string(SHA256.hex(line))),
        ])
        if let group = resource.outline.group { entry["group"] = .string(group) }
        if !resource.outline.owners.isEmpty { entry["owners"] = .array(resource.outline.owners.map { .string($0) }) }
        return .object(entry)
      }
      return Array(JSONWriter.compact(.object(Object([("resources", .array(entries))]))).utf8)
    }
    let most = index(from: 1 << 40).count + 1
    var head = index(from: most)
    head += [UInt8](repeating: 0x20, count: most - 1 - head.count) + [0x0A]
    return (
      head + lines.joined(), Object([("size", .int(head.count)), ("digest", .string(SHA256.hex(head)))])
    )
  }
}

extension DescriptionSource.Companion {
  /// The value in some bytes of it, if they have this digest.
  fileprivate func value(_ range: Range<Int>, _ digest: String) throws(BackendError) -> Value {
    let bytes = try read(range)
    guard SHA256.hex(bytes) == digest, let value = try? JSONReader.read(bytes) else {
      throw .misconfigured(
        "\(name) is not the file that this description was written with", hint: "add the service again")
    }
    return value
  }
}
