import BackendClient
import BackendKit
import ServiceDescription

/// Finds the resources that fields refer to: the one that a field is named after, or else the only one with its values.
/// Two different values have to identify records, those first that no list has shown.
struct References {
  /// The maximum number of single records of a resource that are read.
  static let mostReads = 4
  private static let needed = 2
  private static let types = ["integer", "text", "list"]

  private let surveys: [ResourceSurvey]
  private let prober: Prober
  /// The number of records that were read, by resource.
  private var reads: [String: Int] = [:]

  init(_ surveys: [ResourceSurvey], _ prober: Prober) {
    // The attributes of JSON:API are no relationships, and would be written as such.
    self.surveys = surveys.filter { $0.shape != nil && !$0.dialect.isJSONAPI }
    self.prober = prober
  }

  mutating func claim() async throws(BackendError) {
    guard surveys.count > 1 else { return }
    prober.begin(limit: surveys.count * Self.mostReads)
    for survey in surveys {
      for (name, claim) in survey.claims.fields where isOpen(name, claim.value.object, survey) {
        let ids = identifiers(in: name, claim.value.object, survey)
        guard ids.count >= Self.needed else { continue }
        for target in targets(of: name, ids, survey) where try await isMet(ids, by: target) {
          let evidence = "\(Self.needed) of its values identify \(target.name)"
          survey.claims.claim(field: name, .fieldReference, target.name, evidence, .proved)
          break
        }
      }
    }
  }

  private func isOpen(_ name: String, _ facts: Object?, _ survey: ResourceSurvey) -> Bool {
    facts?[.fieldReference] == nil && Self.types.contains(facts?[.fieldType] ?? "")
      && survey.identifier?.fields.contains(name) != true && !prober.isSecret(name)
  }

  /// The different values of a field, or those in its lists, that may be identifiers.
  private func identifiers(in name: String, _ facts: Object?, _ survey: ResourceSurvey) -> [RecordID] {
    let path = facts?[.fieldReadPath].map { $0.split(separator: ".").map(String.init) } ?? [name]
    return survey.rows.flatMap { row in
      let value = ListShape.value(.object(survey.fields(of: row)), at: path) ?? .null
      return (value.array ?? [value]).compactMap { RecordID($0) }
    }.unique
  }

  /// The resources that a field may refer to, the likeliest first.
  private func targets(of name: String, _ ids: [RecordID], _ survey: ResourceSurvey) -> [ResourceSurvey] {
    let isNumber = ids.contains { Int($0.text) != nil }
    guard let noun = Self.noun(in: name) else {
      // A number may be anything, such as that of an `order`.
      guard !isNumber || survey.options?[name]?.object?["type"] == "field" else { return [] }
      return named(name)
    }
    let alike = named(noun) + named(Self.lastWord(of: noun))
    guard alike.isEmpty, !isNumber else { return alike }
    let holders = surveys.filter { Set(ids).isSubset(of: known(in: $0)) }
    return holders.count == 1 ? holders : []
  }

  private func named(_ noun: String) -> [ResourceSurvey] {
    let noun = DocumentedResource.plain(noun)
    let names = [noun] + Plural.forms(of: noun)
    return noun.isEmpty ? [] : surveys.filter { names.contains(DocumentedResource.plain($0.name)) }
  }

  private func known(in survey: ResourceSurvey) -> Set<RecordID> {
    guard let identifier = survey.identifier else { return [] }
    return Set(survey.rows.compactMap { RecordID(identifier.value(of: $0)) })
  }

  /// Returns whether two identifiers are those of records.
  private mutating func isMet(_ ids: [RecordID], by target: ResourceSurvey) async throws(BackendError) -> Bool {
    guard let identifier = target.identifier else { return false }
    let known = known(in: target)
    let others = ids.filter { !known.contains($0) }.prefix(Self.needed)
    reads[target.name, default: 0] += others.count
    guard reads[target.name, default: 0] <= Self.mostReads else { return false }
    for id in others {
      guard try await identifier.read(id, prober) != nil else { return false }
    }
    return true
  }

  // MARK: Names

  /// The noun in a name such as `supplierId`, `supplier_id`, `supplierIds` or `supplierid`; nil for other names, such as
  /// `paid` and `uuid`.
  static func noun(in name: String) -> String? {
    let isList = ["Ids", "IDs", "_ids"].contains(where: name.hasSuffix)
    let name = isList ? name.dropLast() : name[...]
    let plain = name.lowercased()
    guard !words.contains(plain), let ending = endings.first(where: plain.hasSuffix) else { return nil }
    let noun = name.dropLast(ending.utf8.count)
    guard let last = noun.last, let first = name.dropFirst(noun.count).first else { return nil }
    if !last.isLetter, !last.isNumber {
      let rest = noun.dropLast()
      return rest.isEmpty ? nil : String(rest)
    }
    let isSplit = first.isUppercase && !last.isUppercase
    return isSplit || name == plain ? String(noun) : nil
  }

  private static let endings = ["uuid", "guid", "ulid", "uid", "id"]
  /// Words that end like them.
  private static let words: Set<String> = [
    "aid", "android", "avoid", "bid", "fluid", "grid", "hybrid", "invalid", "kid", "lid", "liquid", "mid", "paid",
    "prepaid", "rapid", "solid", "uid", "ulid", "unpaid", "valid", "void",
  ]

  private static func lastWord(of name: String) -> String {
    let start = name.lastIndex { !$0.isLetter && !$0.isNumber }.map { name.index(after: $0) } ?? name.startIndex
    let word = name[start...]
    return String(word[(word.lastIndex(where: \.isUppercase) ?? word.startIndex)...])
  }
}
