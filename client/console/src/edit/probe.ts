// Asks one question at a time. While an answer is awaited, only the latest of further questions is kept.
export class Probe {
  private busy = false;
  private next: (() => Promise<void>) | undefined;

  async ask(question: () => Promise<void>): Promise<void> {
    this.next = question;
    if (this.busy) return;
    this.busy = true;
    while (this.next) {
      const now: () => Promise<void> = this.next;
      this.next = undefined;
      await now().catch(() => undefined);
    }
    this.busy = false;
  }
}
