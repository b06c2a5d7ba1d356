/** A translated line of a video, and its start in seconds since the first picture. */
export interface Subtitle {
  fromS: number
  text: string
}

/**
 * Formats subtitles as WebVTT; each stays until the next one. They are at the top, because the video has captions at
 * the bottom.
 */
export function webVtt(subtitles: readonly Subtitle[], endS: number): string {
  const cues = subtitles.map(({ fromS, text }, index) => {
    const toS = subtitles[index + 1]?.fromS ?? endS
    return `${timeText(fromS)} --> ${timeText(toS)} line:6%\n${text}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

function timeText(seconds: number): string {
  const ms = Math.round(seconds * 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const [minutes, rest] = [Math.floor(ms / 60_000), ms % 60_000]
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(Math.floor(rest / 1000))}.${String(rest % 1000).padStart(3, '0')}`
}
