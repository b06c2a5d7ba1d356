/** The byte order mark tells Excel that the file is UTF-8; without it Nepali names are garbled. */
const mark = '\uFEFF'

/** Downloads a table as a file. */
export function saveTable(csv: string, name: string): void {
  const url = URL.createObjectURL(new Blob([mark, csv], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
