/** By this mark Excel knows UTF-8; without it Nepali names are garbled. */
const mark = '\uFEFF'

/** Hands a table to the browser as a file to keep. */
export function saveTable(csv: string, name: string): void {
  const url = URL.createObjectURL(new Blob([mark, csv], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
