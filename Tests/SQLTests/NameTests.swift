import SQL
import Testing

@Suite struct NameTests {
  @Test func `a name is quoted where it has to be`() {
    #expect(SQLWords.quoted("todos") == "todos")
    #expect(SQLWords.quoted("users/todos") == "\"users/todos\"")
    #expect(SQLWords.quoted("order by") == "\"order by\"")
  }
}
