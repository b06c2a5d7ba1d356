import { get } from 'node:http'

/** What a part of ours answers; `fetch` would load its whole HTTP client into a process that stays. */
export function localGet(url: string, timeoutMs: number): Promise<{ isOk: boolean; text: string }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, timeout: timeoutMs }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => resolve({ isOk: answer.statusCode === 200, text }))
      answer.on('error', reject)
    })
    request.on('timeout', () => request.destroy(new Error('no answer')))
    request.on('error', reject)
  })
}
