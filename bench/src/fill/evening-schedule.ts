/** The stored form of a daily evening schedule, without its owner, switch and next time. */
export const eveningSchedule = {
  startTime: '18:00',
  endTime: '22:00',
  startAction: 'on',
  endAction: 'off',
  repeatType: 'daily',
  repeatDays: [],
  endDate: null,
  runDate: null,
  timezone: 'Asia/Kathmandu',
  tzVersion: process.versions['tz'],
  isActive: true,
  planRev: 0
}
