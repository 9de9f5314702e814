import BackendClient
import BackendKit
import ServiceDescription

/// Records with dangling references, which some services delete with any deletion, as json-server 0.17 does.
struct Orphans {
  /// The kind of service and the suffix of its reference fields; nil if nothing suggests such a service.
  private var kind: (preset: String, suffix: String)?
  private let listed: [ResourceSurvey]
  private let prober: Prober
  /// The path above the collections.
  private let folder: String
  /// All collections of the service by name, if a single response shows them.
  private var lists: [String: [Object]] = [:]

  /// Looks for signs of such a service. If there are none, its database is requested before writes are tried.
  init(_ surveys: [ResourceSurvey], _ prober: Prober, triesWrites: Bool) async throws(BackendError) {
    self.prober = prober
    listed = surveys.filter { $0.nested == nil }
    let paths = listed.map { Candidates.plain($0.collection).split(separator: "/").map(String.init) }
    folder = paths.first.map { $0.dropLast().map { "/\($0)" }.joined() } ?? ""
    kind =
      surveys.lazy.compactMap { survey in
        survey.dialect.orphanSuffix.map { (survey.dialect.preset, $0) }
      }.first
    let mayBe = listed.contains { $0.dialect.isPlain && $0.shape?.path.isEmpty == true }
    guard triesWrites, kind != nil || mayBe else { return }
    prober.begin(limit: 1)
    prober.forget()
    guard let answer = try await prober.get(ProbeTarget("\(folder)/db")), answer.isSuccess,
      let members = answer.document?.object?.members
    else { return }
    for (name, value) in members { lists[name] = value.array?.compactMap(\.object) }
    let names = paths.compactMap(\.last)
    if kind == nil, !names.isEmpty, names.allSatisfy({ lists[$0] != nil }) {
      kind = Dialect.named("json-server").flatMap { dialect in
        dialect.orphanSuffix.map { (dialect.preset, $0) }
      }
    }
  }

  /// Adds this effect to the deletion of all resources.
  func claim(_ surveys: [ResourceSurvey]) {
    guard let kind else { return }
    for survey in surveys where survey.claims[.deleteMethod] != nil {
      survey.suppose(.deleteOrphanSuffix, kind.suffix, "usual for \(kind.preset)", from: .preset)
    }
  }

  /// The reason not to send any deletion; nil if there is none.
  func reasonAgainstDeleting() async throws(BackendError) -> String? {
    guard let kind else { return nil }
    var lists = lists
    let isWhole = !lists.isEmpty
    prober.begin(limit: listed.count * 2)
    prober.forget()
    func unread(_ name: String) -> String {
      "any delete also deletes records with a reference to a missing record, and \(name) cannot be read"
    }
    for survey in listed where !isWhole {
      guard let rows = survey.rows(of: try await prober.get(survey.target)) else { return unread(survey.name) }
      lists[survey.name] = rows
    }
    var asked = Set(lists.keys)
    var found: [String] = []
    for (name, rows) in lists.sorted(by: { $0.key < $1.key }) {
      for row in rows {
        for (field, value) in row.members where field.hasSuffix(kind.suffix) && value != .null {
          let forms = Plural.forms(of: String(field.dropLast(kind.suffix.count)))
          guard let owner = forms.first(where: { lists[$0] != nil }) ?? forms.first else { continue }
          if !isWhole, asked.insert(owner).inserted {
            let answer = try await prober.get(ProbeTarget("\(folder)/\(owner)"))
            lists[owner] = answer.flatMap { $0.isSuccess ? ListShape($0.document, resource: owner)?.rows : nil }
            // Nothing refers to a missing collection.
            if lists[owner] == nil, answer?.status != 404 { return unread(owner) }
          }
          guard let owners = lists[owner], let id = RecordID(value),
            !owners.contains(where: { RecordID($0["id"]) == id })
          else { continue }
          found.append("\(name)/\(RecordID(row["id"])?.text ?? "") (\(field))")
        }
      }
    }
    guard !found.isEmpty else { return nil }
    let shown = found.prefix(5).joined(separator: ", ") + (found.count > 5 ? " and \(found.count - 5) more" : "")
    return
      "on any delete, json-server 0.17 would also delete \(counted(found.count, "record")) with a reference to a missing record: \(shown)"
  }
}
