import Files
import Glibc
import TestSupport
import Testing

@Suite struct FolderListingTests {
  @Test func `A folder has the names that can be written`() throws {
    let folder = try TemporaryFolder()
    for name in ["b", ".hidden", "天"] { try folder.write("", to: name) }
    var path = Array((folder.path + "/x").utf8CString.dropLast())
    path += [CChar(bitPattern: 0xFF), 0]
    close(open(path, O_WRONLY | O_CREAT, 0o600))
    #expect(FolderListing.names(in: folder.path)?.sorted() == [".hidden", "b", "天"])
    #expect(FolderListing.names(in: folder.path + "/b") == nil)
    #expect(FolderListing.names(in: folder.path + "/none") == nil)
  }
}
