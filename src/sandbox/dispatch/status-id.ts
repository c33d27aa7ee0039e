/** `data.StatusId` of an envelope, where it is a number. Emitted events may hold anything. */
export function statusIdOf(body: string): number | null {
  try {
    const status: unknown = JSON.parse(body)?.data?.StatusId
    return typeof status === 'number' && Number.isSafeInteger(status) ? status : null
  } catch {
    return null
  }
}
