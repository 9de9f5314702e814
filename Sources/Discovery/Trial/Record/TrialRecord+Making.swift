import BackendKit
import ServiceDescription

extension TrialRecord {
  func make(_ fields: Object) async throws(BackendError) -> Prober.Outcome {
    latest = fields
    open = sought
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

  /// All fields that were sent to create the record.
  var madeWith: Object {
    var all = sent
    for (name, value) in given.members where all[name] == nil { all[name] = value }
    return all
  }

  var collection: ProbeTarget {
    if let below { return below.list }
    let path = String(survey.collection.prefix { $0 != "?" })
    return survey.nested.map { ProbeTarget(path, shownAs: $0.shape) } ?? ProbeTarget(path)
  }

  var creationMethod: String { itemMethod ?? "POST" }

  func place(of fields: Object) -> ProbeTarget {
    guard isAtItem, let identifier = survey.identifier, let id = id(of: fields) else { return collection }
    return identifier.target(id)
  }

  private func id(of fields: Object) -> RecordID? {
    var all = named
    for name in named.names { all[name] = fields[name] ?? named[name] }
    return survey.identifier.flatMap { RecordID($0.value(of: all)) }
  }

  var lastNamed: RecordID? { id(of: named) }

  /// The fields that make up the name, the last of which is this text; the others are copied from a known record.
  func naming(_ text: String) -> Object {
    guard isAtItem, let identifier = survey.identifier, let last = identifier.fields.last else { return Object() }
    var named = Object()
    for field in identifier.fields { named[field] = identifier.record[field] ?? survey.rows.last?[field] }
    named[last] = .string(text)
    return named
  }

  /// Returns whether a field is part of the record's name, which must not be updated.
  func isNaming(_ name: String) -> Bool { survey.identifier?.fields.contains(name) == true }

  /// Gives another record its own name, if names are chosen.
  func nameAnew(_ fields: inout Object, _ identifier: IdentifierProbe.Found) {
    if isAtItem {
      named = naming(Marker.again(nameText))
      for (name, value) in named.members { fields[name] = value }
    } else if isChosen {
      fields[identifier.field] = .string(freshIdentifier(identifier))
    }
  }

  /// An identifier for another record, in the form of the one that was accepted.
  private func freshIdentifier(_ identifier: IdentifierProbe.Found) -> String {
    if let first = madeWith[identifier.field], let text = first.text, marker.isIn(first) {
      namesGiven += 1
      return Marker.name(text, namesGiven + 1)
    }
    return survey.claims[.identifierPattern].flatMap(UsualIdentifier.matching) ?? UsualIdentifier.uuid
  }

  /// The marker in a form that identifiers may have.
  var nameText: String { fields.identifierForm.holding(marker) ?? marker.text }

  /// An identifier with the marker for the record, unlike all other texts that are sent.
  var markedIdentifier: String {
    let text = Marker.name(nameText)
    return fields.identifierForm.fits(text) ? text : nameText
  }

  /// The identifier in the Location of a response; nil if there is none, or it is on another server.
  func located(_ answer: ProbeResponse) -> String? {
    answer.header("Location").flatMap { address in
      prober.gate.refusal(ofServerIn: address, below: "") == nil ? Link.lastPart(address) : nil
    }
  }

  /// The record in a response: at the known place for single records, or nearby.
  func created(in document: Value?) -> (path: [String], record: Object)? {
    guard let document, let identifier = survey.identifier else { return nil }
    var places = [identifier.oneAt, []]
    places += document.object?.members.filter { $0.1.object != nil }.map { [$0.0] } ?? []
    // It may be the only element of a list.
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
