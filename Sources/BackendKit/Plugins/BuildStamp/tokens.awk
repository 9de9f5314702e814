# Prints Swift sources without comments and blanks: a run of both is one blank, or the end of a line where it holds one, and
# nothing at the beginning of a file. Texts stay as they are. A character 1 stands between files.
function put(text) {
  if (gap != "" && begun) printf "%s", gap
  gap = ""
  begun = 1
  printf "%s", text
}
function leave(text) { if (gap != "\n") gap = text }
# Enters text that begins with these marks: quotes, perhaps with hashes before.
function enter(marks) {
  hashes = marks
  gsub(/"/, "", hashes)
  top++
  closing[top] = substr(marks, length(hashes) + 1) hashes
  escape[top] = "\\" hashes
  put(marks)
}

FNR == 1 {
  if (NR > 1) printf "\001"
  top = comment = begun = 0
  gap = closing[0] = ""
}
{
  sub(/\r$/, "")
  for (at = 1; at <= length($0);) {
    rest = substr($0, at)
    if (comment) {
      mark = substr(rest, 1, 2)
      comment += (mark == "/*") - (mark == "*/")
      at += mark == "/*" || mark == "*/" ? 2 : 1
      continue
    }
    if (closing[top] != "") {
      mark = escape[top]
      if (index(rest, mark) == 1 && substr(rest, length(mark) + 1, 1) == "(") {
        # An expression within text, up to its own parenthesis.
        put(mark "(")
        at += length(mark) + 1
        closing[++top] = ""
        open[top] = 1
      } else if (index(rest, mark) == 1) {
        put(substr(rest, 1, length(mark) + 1))
        at += length(mark) + 1
      } else if (index(rest, closing[top]) == 1) {
        put(closing[top])
        at += length(closing[top])
        top--
      } else {
        put(substr(rest, 1, 1))
        at++
      }
      continue
    }
    if (match(rest, /^[ \t]+/)) leave(" ")
    else if (rest ~ /^\/\//) break
    else if (rest ~ /^\/\*/) {
      comment = 1
      RLENGTH = 2
      leave(" ")
    } else if (match(rest, /^#*"""/) || match(rest, /^#*"/)) enter(substr(rest, 1, RLENGTH))
    else {
      if (!match(rest, /^[A-Za-z0-9_]+/)) RLENGTH = rest ~ /^\\/ ? 2 : 1
      put(substr(rest, 1, RLENGTH))
      if (top && rest ~ /^\(/) open[top]++
      if (top && rest ~ /^\)/ && --open[top] == 0) top--
    }
    at += RLENGTH
  }
  if (closing[top] ~ /^"""/) put("\n")
  else {
    # Text of one line ends with it, whatever it was taken for.
    while (top && closing[top] != "" && closing[top] !~ /^"""/) top--
    leave("\n")
  }
}
END { printf "\001" }
