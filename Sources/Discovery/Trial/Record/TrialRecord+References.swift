import BackendClient
import BackendKit
import ServiceDescription

/// Fields that records show as an object, while requests contain its identifier: `project_id` for
/// `project: {id: 2, name: …}`.
extension TrialRecord {
  /// The identifier in a field's object; nil if there is none, or the field grants rights.
  func referred(_ name: String) -> Value? {
    guard let field = fields[name], !Rights.areGranted(by: name), let id = field.sample?.object?["id"],
      RecordID(id) != nil
    else { return nil }
    return id
  }

  /// Sends the identifier of another record for a missing field: under its name with `_id`, then under the name itself.
  /// False if records show no identifier there.
  func refer(to name: String) -> Bool {
    guard sent[name] == nil else { return false }
    for (end, base) in [("_id", name.dropLast(3)), ("Id", name.dropLast(2))] where name.hasSuffix(end) {
      guard let id = referred(String(base)) else { continue }
      (sent[name], shownAs[name]) = (id, String(base))
      return true
    }
    guard let id = referred(name) else { return false }
    let isCamel = fields.all.contains { $0.name.contains(where: \.isUppercase) }
    let other = name + (isCamel && !fields.all.contains { $0.name.contains("_") } ? "Id" : "_id")
    let isTried = sent[other] != nil
    if isTried { (sent[other], shownAs[other]) = (nil, nil) }
    (sent[isTried ? name : other], shownAs[isTried ? name : other]) = (id, name)
    return true
  }

  func sentName(of name: String) -> String? {
    sent[name] == nil ? shownAs.first { $0.value == name }?.key : name
  }

  /// Claims where records show what was sent under another name, or as another value.
  func proveReferences(_ fields: Object, _ read: ProbeResponse) {
    for (name, shown) in shownAs.sorted(by: { $0.key < $1.key }) {
      guard let id = fields[shown]?.object?["id"], let given = sent[name], id.isSame(as: given) else { continue }
      let evidence = read.evidence("what was sent as \(name) is \(shown).id")
      step("fields sent under another name than shown", evidence)
      claim(field: name, .fieldType, id.integer == nil ? "text" : "integer", evidence, .likely)
      claim(field: name, .fieldReadPath, "\(shown).id", evidence, .proved)
      if name == shown {
        clear(field: name, .fieldRestrictedValues, evidence)
      } else {
        claim(field: shown, .fieldReadOnly, true, read.evidence("it is sent as \(name)"), .likely)
      }
    }
  }
}
