import BackendKit
import ServiceDescription

/// The request that makes a record, and the name of the record.
extension TrialRecord {
  /// Sends a new record.
  func make(_ fields: Object) async throws(BackendError) -> Prober.Outcome {
    let marks = fields.members.compactMap { name, value in
      value.text.flatMap { marker.isIn(value) ? (name: name, text: $0) : nil }
    }
    open = marks.first { $0.name == sought?.name } ?? marks.first
    let body = form.body(namesInBody ? fields : Object(fields.members.filter { named[$0.0] == nil }))
    let outcome = try await prober.write(
      creationMethod, place(of: fields), body, [("Content-Type", form.contentType)])
    if let answer = outcome.answer {
      if !answer.isSuccess { open = nil }
      learnErrors(answer, of: fields)
    }
    if case .unsent = outcome { open = nil }
    return outcome
  }

  /// All that was sent to make the record.
  var madeWith: Object {
    var all = sent
    for (name, value) in given.members where all[name] == nil { all[name] = value }
    return all
  }

  /// The address at which records are created.
  var collection: ProbeTarget {
    let path = String(survey.collection.prefix { $0 != "?" })
    return survey.nested.map { ProbeTarget(path, shownAs: $0.shape) } ?? ProbeTarget(path)
  }

  var creationMethod: String { itemMethod ?? "POST" }

  /// Returns the address to which a new record with these fields is sent.
  func place(of fields: Object) -> ProbeTarget {
    guard isAtItem, let identifier = survey.identifier, let id = id(of: fields) else { return collection }
    return identifier.target(id)
  }

  private func id(of fields: Object) -> RecordID? {
    var all = named
    for name in named.names { all[name] = fields[name] ?? named[name] }
    return survey.identifier.flatMap { RecordID($0.value(of: all)) }
  }

  /// The identifier of the record that was sent last.
  var lastNamed: RecordID? { id(of: named) }

  /// The fields that name such a record, with the given text as the last; the ones before it are copied from a record
  /// seen earlier.
  func naming(_ text: String) -> Object {
    guard isAtItem, let identifier = survey.identifier, let last = identifier.fields.last else { return Object() }
    var named = Object()
    for field in identifier.fields { named[field] = identifier.record[field] ?? survey.rows.last?[field] }
    named[last] = .string(text)
    return named
  }

  /// Returns whether a field is the record's name or a part of it, and so must stay the same in any change.
  func isNaming(_ name: String) -> Bool { survey.identifier?.fields.contains(name) == true }

  /// Gives another record a name of its own, where the name is chosen.
  func nameAnew(_ fields: inout Object, _ identifier: IdentifierProbe.Found) {
    if isAtItem {
      named = naming(Marker.again(marker.text))
      for (name, value) in named.members { fields[name] = value }
    } else if survey.claims[.createIdentifier] == "client" {
      fields[identifier.field] = .string(freshIdentifier)
    }
  }

  /// An identifier for another record, where it has to be chosen.
  var freshIdentifier: String {
    survey.claims[.identifierPattern].flatMap(UsualIdentifier.matching) ?? UsualIdentifier.uuid
  }

  /// Returns the identifier at the end of the address that a response to a creation gives to the record; nil where it
  /// gives none, or one at another server, which is no record of the service.
  func located(_ answer: ProbeResponse) -> String? {
    answer.header("Location").flatMap { address in
      prober.gate.refusal(ofServerIn: address, below: "") == nil ? Link.lastPart(address) : nil
    }
  }

  /// The record in a response: where single records stand, or nearby.
  func created(in document: Value?) -> (path: [String], record: Object)? {
    guard let document, let identifier = survey.identifier else { return nil }
    var places = [identifier.oneAt, []]
    places += document.object?.members.filter { $0.1.object != nil }.map { [$0.0] } ?? []
    // It may be the only one of a list.
    if document.array?.count == 1 { places.append(["0"]) }
    places += document.object?.members.filter { $0.1.array?.count == 1 }.map { [$0.0, "0"] } ?? []
    for place in places {
      guard let record = ListShape.value(document, at: place)?.object,
        RecordID(identifier.value(of: record)) != nil
      else {
        continue
      }
      return (place, record)
    }
    return nil
  }
}
