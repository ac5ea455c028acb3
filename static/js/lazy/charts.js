/* Draws each figure[data-chart] with uPlot from the JSON that it holds (portal/ui/charts.py):

     zone      the time zone that times are shown in; UTC for days, which begin at its midnight
     moments   seconds since 1970, rising
     from, to  the period that is shown, in the same seconds
     by        "minute" or "day": what a moment is called by
     named     whether the zone's own name stands beside times, since clocks change between them
     unit      what values are shown with
     whole     whether all values are counts
     shaded    days, in the same seconds, that are shaded: weekends
     open      the day that is not over, if it is shown
     series    label, values (a number, or null for a gap), shape ("line", "bars" or "steps")
     bands     level ("good", "fair", "poor"), word, from, to (null: without end)
     group     charts of one group share their crosshair
     follow    an address with {at}, which a click or Enter leads to

   A chart is a slider to the keyboard and to screen readers: arrows, Home, End and Page keys move
   the crosshair of all charts, and each moment is read out. */
(() => {
  const language = document.documentElement.lang;
  const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3], [4, 2], [12, 4]];
  const wide = 60; // seconds beside a moment that stands alone
  const drawn = new Map();

  /* Canvases know no variables: what one comes to is read off an element that has it, once for all
     charts, since the browser lays the page out anew each time. */
  const colours = new Map();

  function colour(figure, name) {
    if (!colours.has(name)) colours.set(name, computed(figure, name));
    return colours.get(name);
  }

  function computed(figure, name) {
    const probe = document.createElement("i");
    probe.style.color = `var(--chart-${name})`;
    figure.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  }

  const nameOf = (chart, second) => chart.format.format(new Date(second * 1000));

  /* An axis that names days has no mark within one, of minutes none within a minute, and of counts
     none between two: marks would be called the same. */
  const DAYS = [1, 2, 3, 5, 7, 10, 15, 30, 60, 90, 180, 365].map((each) => each * 86400);
  const MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((each) => each * 60);
  const WHOLE = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((each) => each * 10 ** power)).flat();
  const namesDays = (data) => data.by === "day" || data.to - data.from > 2 * 86400;

  function formats(data) {
    const day = { timeZone: data.zone, day: "numeric", month: "short" };
    const clock = { timeZone: data.zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    if (data.named) clock.timeZoneName = "short";
    return {
      format: new Intl.DateTimeFormat(language, data.by === "day" ? { ...day, weekday: "short" } : { ...day, ...clock }),
      axis: new Intl.DateTimeFormat(language, namesDays(data) ? day : clock),
    };
  }

  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const valueText = (data, value) => (value == null ? switchboard.say("no-value") : `${number.format(value)}${data.unit && ` ${data.unit}`}`);

  function levelOf(data, value) {
    if (value == null) return null;
    return data.bands.find((band) => value >= (band.from ?? -Infinity) && value < (band.to ?? Infinity));
  }

  /* The scale begins at zero and shows where good ends. */
  function range(data) {
    const good = data.bands.find((band) => band.level === "good");
    const edge = good ? (good.to ?? good.from ?? 0) : 0;
    return (plot, low, high) => [Math.min(0, low ?? 0), Math.max(high ?? 0, edge * 1.2) * 1.08 || 1];
  }

  /* Moments of one minute have the same name, which stands at the first of them. */
  function once(names) {
    return names.map((name, at) => (name === names[at - 1] ? "" : name));
  }

  /* The sides of a day in the plot. */
  function column(plot, second) {
    const at = (each) => Math.min(Math.max(plot.valToPos(each, "x", true), plot.bbox.left), plot.bbox.left + plot.bbox.width);
    return [at(second - 43200), at(second + 43200)];
  }

  /* A day that is not over is paler, in a dashed frame. */
  function drawOpen(chart) {
    return (plot) => {
      const { ctx, bbox } = plot;
      const { open, from, to } = chart.data;
      if (!open || open < from || open > to || !chart.data.series.some((one) => one.shape === "bars")) return;
      const [left, right] = column(plot, open);
      ctx.save();
      ctx.globalAlpha = 0.6;
      ctx.fillStyle = colour(chart.figure, "paper");
      ctx.fillRect(left, bbox.top, right - left, bbox.height);
      ctx.globalAlpha = 1;
      ctx.strokeStyle = colour(chart.figure, "text");
      ctx.setLineDash([3, 3]);
      ctx.strokeRect(left, bbox.top, right - left, bbox.height);
      ctx.restore();
    };
  }

  function drawBands(chart) {
    return (plot) => {
      const { ctx, bbox } = plot;
      const ratio = devicePixelRatio || 1;
      for (const second of chart.data.shaded ?? []) {
        const [left, right] = column(plot, second);
        ctx.fillStyle = colour(chart.figure, "shade");
        ctx.fillRect(left, bbox.top, right - left, bbox.height);
      }
      for (const band of chart.data.bands) {
        const { top, bottom } = sidesOf(plot, band);
        if (bottom <= top) continue;
        ctx.fillStyle = colour(chart.figure, `${band.level}-ground`);
        ctx.fillRect(bbox.left, top, bbox.width, bottom - top);
        if (bottom - top < 15 * ratio) continue;
        ctx.fillStyle = colour(chart.figure, band.level);
        ctx.font = `${11 * ratio}px ${chart.font}`;
        ctx.textAlign = "right";
        ctx.textBaseline = "top";
        ctx.fillText(band.word, bbox.left + bbox.width - 4 * ratio, top + 3 * ratio);
      }
    };
  }

  function sidesOf(plot, band) {
    const { bbox } = plot;
    const at = (value) => plot.valToPos(value, "y", true);
    return {
      top: band.to == null ? bbox.top : Math.max(bbox.top, at(band.to)),
      bottom: band.from == null ? bbox.top + bbox.height : Math.min(bbox.top + bbox.height, at(band.from)),
    };
  }

  function seriesOf(chart, one, index) {
    const stroke = colour(chart.figure, (index % 6) + 1);
    const bars = one.shape === "bars";
    return {
      label: one.label,
      stroke,
      width: bars ? 0 : 2,
      dash: bars ? undefined : dashes[index % dashes.length],
      fill: bars ? stroke : undefined,
      paths: bars ? uPlot.paths.bars({ size: [0.7, 40] }) : one.shape === "steps" ? uPlot.paths.stepped({ align: 1 }) : undefined,
      points: { show: !bars, size: 5, fill: stroke, filter: bars ? () => null : alone },
    };
  }

  /* Only values between two gaps need a dot to be seen at all. */
  function alone(plot, index) {
    const values = plot.data[index];
    return [...values.keys()].filter((at) => values[at] != null && values[at - 1] == null && values[at + 1] == null);
  }

  function options(chart) {
    const { data, figure, place } = chart;
    const text = colour(figure, "text");
    const grid = { stroke: colour(figure, "grid"), width: 1 };
    const axis = { stroke: text, font: `11px ${chart.font}`, grid, ticks: { ...grid, size: 4 } };
    const beside = data.by === "day" && data.series.some((one) => one.shape === "bars") ? 43200 : 0;
    const zoned = (second) => uPlot.tzDate(new Date(second * 1000), data.zone);
    return {
      width: place.clientWidth,
      height: place.clientHeight,
      tzDate: zoned,
      legend: { show: false },
      scales: { x: { time: true, range: () => [data.from - beside, data.to + beside] }, y: { range: range(data) } },
      axes: [
        { ...axis, incrs: namesDays(data) ? DAYS : MINUTES, size: 28, gap: 4, space: 64, values: (plot, splits) => once(splits.map((each) => chart.axis.format(new Date(each * 1000)))) },
        { ...axis, ...(data.whole && { incrs: WHOLE }), size: 48, gap: 4, space: 28, values: (plot, splits) => splits.map((each) => number.format(each)) },
      ],
      cursor: {
        drag: { x: false, y: false },
        y: false,
        points: { size: 7 },
        sync: { key: `charts-${data.group}`, scales: ["x", null] },
      },
      series: [{}, ...data.series.map((one, index) => seriesOf(chart, one, index))],
      hooks: { drawClear: [drawBands(chart)], draw: [drawOpen(chart)], setCursor: [() => read(chart)] },
    };
  }

  /* What stands at the crosshair, beside each series' name and for screen readers. */
  function read(chart) {
    const { data, plot, figure, place } = chart;
    const at = plot?.cursor.idx ?? null;
    const said = [];
    for (const [index, mark] of figure.querySelectorAll("[data-chart-value]").entries()) {
      const value = at === null ? undefined : data.series[index]?.values[at];
      const level = levelOf(data, value);
      mark.textContent = at === null ? "" : valueText(data, value);
      mark.dataset.level = level?.level ?? "";
      said.push(`${data.series[index]?.label} ${valueText(data, value)}${level ? `, ${level.word.toLowerCase()}` : ""}`);
    }
    const moment = at === null ? "" : nameOf(chart, data.moments[at]);
    const shown = figure.querySelector("[data-chart-moment]");
    if (shown) shown.textContent = moment;
    place.setAttribute("aria-valuenow", at ?? 0);
    place.setAttribute("aria-valuetext", at === null ? switchboard.say("no-moment") : `${moment}: ${said.join("; ")}`);
  }

  function move(chart, at) {
    const { plot, data } = chart;
    if (at === null) plot.setCursor({ left: -10, top: -10 }, true, true);
    else plot.setCursor({ left: plot.valToPos(data.moments[at], "x"), top: plot.over.clientHeight / 2 }, true, true);
  }

  function follow(chart) {
    const at = chart.plot.cursor.idx;
    if (at === null || at === undefined || !chart.data.follow) return;
    const moment = new Date(chart.data.moments[at] * 1000).toISOString().replace(".000", "");
    location.assign(chart.data.follow.replace("{at}", encodeURIComponent(moment)));
  }

  function onKey(chart, event) {
    const last = chart.data.moments.length - 1;
    const at = chart.plot.cursor.idx;
    const far = Math.max(1, Math.round(last / 10));
    const next = {
      ArrowRight: (at ?? -1) + 1,
      ArrowUp: (at ?? -1) + 1,
      ArrowLeft: (at ?? last + 1) - 1,
      ArrowDown: (at ?? last + 1) - 1,
      PageUp: (at ?? 0) + far,
      PageDown: (at ?? last) - far,
      Home: 0,
      End: last,
      Escape: null,
    }[event.key];
    if (event.key === "Enter") follow(chart);
    else if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    else move(chart, next === null ? null : Math.min(last, Math.max(0, next)));
    event.preventDefault();
  }

  function listen(chart) {
    const { place } = chart;
    place.tabIndex = 0;
    place.setAttribute("role", "slider");
    place.setAttribute("aria-orientation", "horizontal");
    place.setAttribute("aria-valuemin", 0);
    place.onkeydown = (event) => onKey(chart, event);
    place.onclick = () => follow(chart);
    place.ontouchmove = (event) => {
      const left = event.touches[0].clientX - chart.plot.over.getBoundingClientRect().left;
      chart.plot.setCursor({ left, top: chart.plot.over.clientHeight / 2 }, true, true);
    };
  }

  function draw(chart) {
    chart.plot?.destroy();
    chart.font = getComputedStyle(chart.figure).fontFamily;
    const { data, place } = chart;
    place.setAttribute("aria-valuemax", Math.max(0, data.moments.length - 1));
    chart.plot = new uPlot(options(chart), [data.moments, ...data.series.map((one) => one.values)], place);
    read(chart);
  }

  function take(chart, text) {
    chart.text = text;
    chart.data = JSON.parse(text);
    if (chart.data.from === chart.data.to) {
      chart.data.from -= wide;
      chart.data.to += wide;
    }
    Object.assign(chart, formats(chart.data));
  }

  /* What a refresh brought is drawn anew, with the crosshair where it was. */
  function renew(chart, text) {
    const moment = chart.data.moments[chart.plot.cursor.idx];
    take(chart, text);
    draw(chart);
    const at = chart.data.moments.indexOf(moment);
    if (at >= 0 && chart.place.contains(document.activeElement)) move(chart, at);
  }

  function prepare() {
    for (const [figure, chart] of drawn) {
      if (figure.isConnected && figure.contains(chart.place)) continue;
      chart.watch.disconnect();
      chart.plot.destroy();
      drawn.delete(figure);
    }
    for (const figure of document.querySelectorAll("[data-chart]")) {
      const place = figure.querySelector("[data-chart-plot]");
      const text = figure.querySelector("script[type='application/json']")?.textContent;
      if (!place || !text) continue;
      const known = drawn.get(figure);
      if (known) {
        if (known.text === text) read(known);
        else renew(known, text);
        continue;
      }
      const chart = { figure, place };
      take(chart, text);
      listen(chart);
      draw(chart);
      chart.watch = new ResizeObserver(() => {
        if (place.clientWidth) chart.plot.setSize({ width: place.clientWidth, height: place.clientHeight });
      });
      chart.watch.observe(place);
      drawn.set(figure, chart);
    }
  }

  const again = () => {
    colours.clear();
    drawn.forEach(draw);
  };
  const printed = (is) => {
    for (const figure of drawn.keys()) figure.classList.toggle("is-printed", is);
    again();
  };
  addEventListener("beforeprint", () => printed(true));
  addEventListener("afterprint", () => printed(false));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  document.addEventListener("htmx:afterSettle", prepare);
  prepare();
  // Drawn text takes the page's font once it is there.
  if (document.fonts.status !== "loaded") document.fonts.ready.then(again);
})();
