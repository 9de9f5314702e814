import BackendConformance
import BackendKit

extension Fault {
  static let deleting: [Fault] = [
    Fault("lists what was deleted", "delete targets one record") { broken in
      let gone = Kept<RecordID?>(nil)
      broken.deleting = { deletion in if case .one(let id) = deletion { gone.value = id } }
      broken.page = { page, _, _ in
        if let id = gone.value { page.records.append(Record(id: id, fields: Object())) }
      }
    },
    Fault("changes the neighbour of what it deletes", "delete leaves other records unchanged") { broken in
      let id = Kept("")
      broken.deleting = { deletion in if case .one(let gone) = deletion { id.value = Fault.neighbour(of: gone) } }
      broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
        if operation == "delete" { try await exchange.patch(id.value, ["body": "moved up"]) }
      }
    },
    Fault("deletes one record for all", "delete all") { broken in
      broken.deleting = { deletion in if deletion == .all { deletion = .one("1") } }
    },
    Fault("deletes all for an identifier that it cannot send", "delete targets one record") { broken in
      broken.deleting = { deletion in if deletion == .one("..") { deletion = .all } }
    },
  ]
}
