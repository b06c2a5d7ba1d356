import { request } from 'node:http'

export interface LocalAnswer {
  status: number
  text: string
}

export const localUrl = (port: number): string => `http://127.0.0.1:${port}`

/** What a part of ours answers, to `body` as JSON; `fetch` would load its whole HTTP client into a process that stays. */
export function localCall(url: string, options: { timeoutMs: number; body?: object }): Promise<LocalAnswer> {
  const { timeoutMs, body } = options
  return new Promise((resolve, reject) => {
    const asked = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' } }
    const call = request(url, { agent: false, timeout: timeoutMs, ...asked }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      answer.on('error', reject)
    })
    call.on('timeout', () => call.destroy(new Error('no answer')))
    call.on('error', reject)
    call.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
