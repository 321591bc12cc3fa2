"""The author side: Markdown lesson sources in, checked lesson data and pages out. Never shipped."""
