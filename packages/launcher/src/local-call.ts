import { request } from 'node:http'

export interface LocalAnswer {
  status: number
  text: string
}

export const localUrl = (port: number): string => `http://127.0.0.1:${port}`

/** Calls another part, with `body` as JSON. `fetch` would load its HTTP client into a long-lived process. */
export function localCall(
  url: string,
  options: { timeoutMs: number; body?: object; bearer?: string }
): Promise<LocalAnswer> {
  const { timeoutMs, body, bearer } = options
  return new Promise((resolve, reject) => {
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` })
    }
    const method = body === undefined ? 'GET' : 'POST'
    const call = request(url, { agent: false, timeout: timeoutMs, method, headers }, (answer) => {
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
