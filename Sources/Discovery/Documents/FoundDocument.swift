import BackendClient
import BackendKit

/// A document of the service, with its place.
struct FoundDocument {
  let document: ServiceDocument
  /// The path at the service, or that of the operator's file.
  let place: String
  let isFile: Bool
  /// The documents that it refers to and that were not read.
  let missing: [String]

  var evidence: String { isFile ? "--document-file" : "GET \(place) → 200" }

  /// The parts of it that were not read, and the address that it does not name, one sentence each.
  var remarks: [String] {
    var remarks: [String] = []
    if document.operations > ServiceDocument.mostOperations {
      remarks.append(
        "the document has \(document.operations) operations; the first \(ServiceDocument.mostOperations) were read")
    }
    if !missing.isEmpty {
      let names = missing.prefix(3).map { SurveyText.cut($0) }.joined(separator: ", ")
      let more = missing.count > 3 ? " and \(missing.count - 3) more" : ""
      remarks.append(
        "the document refers to \(counted(missing.count, "file")) not read: \(names)\(more)"
          + (isFile ? "; --document-file names each" : ""))
    }
    if let server = document.unusedServer {
      remarks.append(
        "the document's server has the path \(SurveyText.cut(server)); its resources are expected below "
          + (document.base.isEmpty ? "/" : document.base))
    }
    return remarks
  }
}
