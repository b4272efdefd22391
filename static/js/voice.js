// Voice in the exam room: questions read aloud, and answers dictated into the answer box while a button is held.
// Both use what the browser has; without it the buttons stay hidden and everything is typed. Nothing is sent by voice:
// the text stands in the box to be corrected first.
(() => {
  "use strict";
  const at = (id) => document.getElementById(id);
  const box = at("answer"), talk = at("dictate"), reader = at("read-aloud"), state = at("state");
  const readKey = "heydpe.read-aloud";
  const say = (text) => { state.textContent = text; };

  // ---- numbers as they are said on the radio (AIM 4-2-8 to 4-2-12); other numbers are left to the browser
  const DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "niner"];
  const digits = (text) => [...text].map((sign) => (sign === "." ? "point" : DIGITS[sign])).join(" ");
  function altitude(figure) {
    const feet = Number(figure.replace(/,/g, "")), thousands = Math.floor(feet / 1000), rest = feet % 1000;
    if (feet < 1000 || rest % 100) return figure;
    const said = `${digits(String(thousands))} thousand`;
    return rest ? `${said} ${DIGITS[rest / 100]} hundred` : said;
  }
  const RULES = [
    [/\bFL ?(\d{3})\b/g, (_, level) => `flight level ${digits(level)}`],
    [/\b(1[1-3]\d\.\d{1,3})(?: ?MHz)?\b/g, (_, frequency) => digits(frequency)],
    [/\b(squawk(?:ing|s)?|code|transponder to|set) ([0-7]{4})\b/gi, (_, word, code) => `${word} ${digits(code)}`],
    [/\b(7500|7600|7700)\b/g, (_, code) => digits(code)],
    [/\b(runways?) (\d{1,2})([LRC]?)\b/gi, (_, word, number, side) =>
      `${word} ${digits(number)}${{ L: " left", R: " right", C: " center" }[side] || ""}`],
    [/\b(heading|course|track|radial)( of)? (\d{3})(?:°|\b)/gi, (_, word, of, number) => `${word}${of || ""} ${digits(number)}`],
    [/\b(\d{4})(?:Z| Zulu| UTC)\b/g, (_, time) => `${digits(time)} Zulu`],
    [/\b(\d{1,2},\d{3}|\d{4,5})(?= (?:feet|foot|ft)\b)/g, (figure) => altitude(figure)],
    [/\bMSL\b/g, () => "M S L"], [/\bAGL\b/g, () => "A G L"], [/\bSM\b/g, () => "statute miles"], [/\bNM\b/g, () => "nautical miles"],
  ];
  const spoken = (text) => RULES.reduce((said, [pattern, words]) => said.replace(pattern, words), text);
  self.heydpeVoice = { spoken }; // for tests

  // ---- reading aloud
  const voice = self.speechSynthesis;
  let reading = false;
  const kept = () => { try { return localStorage.getItem(readKey) === "on"; } catch { return reading; } };
  function setReading(on) {
    reading = on; reader.setAttribute("aria-pressed", String(on));
    try { localStorage.setItem(readKey, on ? "on" : "off"); } catch { /* it lasts as long as the page */ }
    if (!on && voice) voice.cancel();
  }
  function read(text) {
    if (!reading || !voice || !text) return;
    const said = new SpeechSynthesisUtterance(spoken(text));
    said.lang = "en-US"; said.rate = 0.95;
    voice.speak(said);
  }
  if (voice) {
    reader.hidden = false; setReading(kept());
    reader.addEventListener("click", () => { setReading(!reading); if (reading) read(box.dataset.asked || ""); });
    document.addEventListener("heydpe:said", (event) => { box.dataset.asked = event.detail; read(event.detail); });
    window.addEventListener("pagehide", () => voice.cancel());
  }

  // ---- dictating while the button is held
  const Recognition = self.SpeechRecognition || self.webkitSpeechRecognition;
  if (!Recognition) return;
  talk.hidden = false; at("dictate-note").hidden = false;
  const WHY = {
    "no-speech": "I heard nothing. Hold the button while you speak, or type.",
    "audio-capture": "There is no microphone. Type your answer.",
    "not-allowed": "The browser does not let this page use the microphone. Allow it in the address bar, or type.",
    "service-not-allowed": "This browser's speech service is switched off. Type your answer.",
    "network": "The browser's speech service cannot be reached. Type your answer.",
  };
  let hearing = null, before = "";
  function start() {
    if (hearing || talk.disabled) return;
    if (voice) voice.cancel(); // the examiner stops talking
    const mine = new Recognition();
    hearing = mine; before = box.value.trimEnd();
    mine.lang = "en-US"; mine.continuous = true; mine.interimResults = true;
    mine.addEventListener("result", (event) => {
      const heard = [...event.results].map((result) => result[0].transcript.trim()).join(" ");
      box.value = [before, heard].filter(Boolean).join(" ");
      box.dispatchEvent(new Event("input"));
    });
    mine.addEventListener("error", (event) => { if (event.error !== "aborted") { failed = WHY[event.error] || "That could not be heard. Type your answer."; } });
    mine.addEventListener("end", () => {
      if (hearing !== mine) return;
      hearing = null; talk.setAttribute("aria-pressed", "false"); talk.textContent = "Hold to talk";
      const added = box.value.trimEnd() !== before;
      say(failed || (added ? "Read it over, correct it, then send." : WHY["no-speech"])); failed = "";
      box.focus({ preventScroll: true });
    });
    talk.setAttribute("aria-pressed", "true"); talk.textContent = "Listening…"; say("Listening. Let go when you are done.");
    try { mine.start(); } catch { hearing = null; say(WHY["no-speech"]); }
  }
  let failed = "";
  const stop = () => { if (hearing) hearing.stop(); };
  talk.addEventListener("pointerdown", (event) => { event.preventDefault(); start(); });
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, stop);
  talk.addEventListener("keydown", (event) => { if ((event.key === " " || event.key === "Enter") && !event.repeat) { event.preventDefault(); start(); } });
  talk.addEventListener("keyup", (event) => { if (event.key === " " || event.key === "Enter") { event.preventDefault(); stop(); } });
  window.addEventListener("blur", stop);
})();
