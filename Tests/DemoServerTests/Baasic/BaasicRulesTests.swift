import Testing

@Suite("Baasic: what an enforced schema allows")
struct BaasicRulesTests {
  @Test(arguments: rows) func rules(_ row: Row) async throws { try await row.check() }

  static let rows = Table.baasic.rows(
    #"""
    # 11 a value that breaks a rule of its property is refused with its name
    each RULES GOOD BAD  {"minLength":2} "ab" "é"  {"maxLength":2} "éé" "abc"  {"pattern":"^[A-Z]+$"} "AB" "aB"
      {"enum":["a",1,null]} 1.0 2  {"minimum":1,"maximum":9} 9 0  {"minimum":1,"maximum":9} 1 9.5
      {"minimum":1,"exclusiveMinimum":true} 1.1 1  {"exclusiveMaximum":9} 8 9  {"type":"string","minimum":5} "1" 6
      {"type":"string","format":"date-time"} "2017-10-03T14:00:00.5+02:00" "2017-10-03 14:00:00"
      {"type":"string","format":"date-time"} "2017-10-03T14:00:00Z" "2017-02-30T14:00:00Z"
      {"type":"string","format":"date"} "2017-10-03" "2017-10-03T14:00:00Z"
    start
    POST /schemas {"name":"ruled","enforceSchemaValidation":true,"schema":{"properties":{"x":{RULES}}}}  < 200
    POST /resources/ruled {"x":{GOOD}}  < 200  id := .id
    POST /resources/ruled {"x":{BAD}}  < 400  problem x
    PATCH /resources/ruled/{id} {"x":{BAD}}  < 400  problem x
    """#)
}
