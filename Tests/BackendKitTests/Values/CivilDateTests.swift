import BackendKit
import Testing

@Suite struct CivilDateTests {
  @Test func `Every day of eight centuries around the year 0 follows the day before`() {
    var before = CivilDate.date(-865_000)
    var wrong: [Int] = []
    for days in -864_999 ..< -573_000 {
      let date = CivilDate.date(days)
      let isNewMonth = before.day == CivilDate.length(ofMonth: before.month, in: before.year)
      let isNewYear = isNewMonth && before.month == 12
      let next = (
        year: before.year + (isNewYear ? 1 : 0), month: isNewMonth ? before.month % 12 + 1 : before.month,
        day: isNewMonth ? 1 : before.day + 1
      )
      if date != next || CivilDate.days(date.year, date.month, date.day) != days { wrong.append(days) }
      before = date
    }
    #expect(wrong == [])
  }

  @Test func `Dates and times have two digits, and years four`() {
    #expect(CivilDate.text(0) == "1970-01-01" && CivilDate.text(-1) == "1969-12-31")
    #expect(CivilDate.text(CivilDate.days(987, 2, 28) + 1) == "0987-03-01")
    #expect(CivilDate.clock(9 * 3600 + 5 * 60 + 7) == "09:05:07" && CivilDate.clock(86_399) == "23:59:59")
    #expect(String(7, digits: 3) == "007" && String(12_345, digits: 3) == "12345")
  }
}
