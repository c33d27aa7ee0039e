/*
 * Runs while the window's own code is still on its way. The first Intl object of a page and its first look at what it remembers take
 * tens of milliseconds, which would otherwise stand between the code and the first rows.
 */
new Intl.NumberFormat().format(0)
new Intl.DateTimeFormat().format(0)
try {
  localStorage.getItem('acuse')
} catch {
  // Without storage the window starts with defaults; readers of remembered values handle that.
}
